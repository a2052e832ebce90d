import type { Fault } from "../lib/faults.ts";
import { HttpResponse } from "../lib/net/http-response.ts";
import type { FaultFace } from "../lib/route.ts";

/** The answer to a fault: its status, the body in the words of its face, the facts in headers. */
export function faultAnswer(fault: Fault, requestId: string, face?: FaultFace): HttpResponse {
  const headers: Record<string, string> = {
    ...fault.headers,
    "content-type": "application/json",
    "x-request-id": requestId,
  };
  if (face?.requestIdHeader) headers[face.requestIdHeader] = requestId;
  if (fault.retry !== undefined) headers["x-should-retry"] = String(fault.retry);
  const body = face ? face.body(fault, requestId) : JSON.stringify({ error: fault.toJson() });
  return new HttpResponse(body, headers, fault.status);
}
