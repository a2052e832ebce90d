import type { Fault } from "../../lib/faults.ts";
import {
  concernsOurAccount,
  faultInside,
  faultOfVendor,
  readVendorError,
  upstreamUnavailable,
} from "../faults.ts";
import type { JsonObject } from "../fields.ts";
import { errorIn } from "../status-in-body.ts";

/** The wire's words for a status; every other refusal is the client's. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  503: "overloaded_error",
};

/** The error of a body or of a stream's last event. */
export function messagesError(fault: Fault): JsonObject {
  const type = TYPES[fault.status] ?? "invalid_request_error";
  const { details } = fault.facts;
  const error = { type, message: fault.message, ...(details === undefined ? {} : { details }) };
  return { type: "error", error };
}

export function writeMessagesFault(fault: Fault, requestId: string): string {
  return JSON.stringify({ ...messagesError(fault), request_id: requestId });
}

const TOO_LONG = /prompt is too long|exceeds? the (?:maximum )?context|context window/i;

export function readMessagesFault(status: number, body: unknown): Fault {
  const message = readVendorError(body).message ?? "";
  if (concernsOurAccount(message)) return upstreamUnavailable(new Error(message));
  const code = TOO_LONG.test(message) ? "context_length_exceeded" : undefined;
  return faultOfVendor(status, { error: { message, code } });
}

/** An error that arrived as an event or as a whole answer, where there is no status to go by. */
export function faultOfMessagesEvent(body: unknown): Fault {
  return faultInside(errorIn(body) ?? {}, readMessagesFault);
}
