import type { Fault } from "../lib/faults.ts";
import type { FaultFace } from "../lib/route.ts";

/** The answer to a fault: its status, the body in the words of its face, the facts in headers. */
export function faultResponse(fault: Fault, requestId: string, face?: FaultFace): Response {
  const headers = new Headers(fault.headers);
  headers.set("content-type", "application/json");
  headers.set("x-request-id", requestId);
  if (face?.requestIdHeader) headers.set(face.requestIdHeader, requestId);
  if (fault.retry !== undefined) headers.set("x-should-retry", String(fault.retry));
  const body = face ? face.body(fault, requestId) : JSON.stringify({ error: fault.toJson() });
  return new Response(body, { status: fault.status, headers });
}
