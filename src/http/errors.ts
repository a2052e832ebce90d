import type { Fault } from "../lib/faults.ts";

/** The answer to a fault: its status, the four fields, and the facts that go into headers. */
export function faultResponse(fault: Fault): Response {
  const headers = new Headers(fault.headers);
  headers.set("content-type", "application/json");
  if (fault.retry !== undefined) headers.set("x-should-retry", String(fault.retry));
  return new Response(JSON.stringify({ error: fault.toWire() }), { status: fault.status, headers });
}
