import type { Fault } from "../../lib/faults.ts";
import { faultInside, faultOfVendor, upstreamUnavailable } from "../faults.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { errorIn } from "../status-in-body.ts";

/** The vendor's words for statuses; every other status is one of these two by its hundreds. */
const STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

export function writeGeminiFault({ status, message }: Fault): string {
  const word = STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return JSON.stringify({ error: { code: status, message, status: word } });
}

/** The error of a body, which the vendor sometimes wraps in a list. */
export function errorOf(body: unknown): JsonObject | undefined {
  const outer = Array.isArray(body) ? body[0] : body;
  return errorIn(outer);
}

/** Reasons that blame the vendor's account or its credential, although the status blames the body. */
const OWN_REASONS = ["API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED"];
const OWN_STATUSES = ["FAILED_PRECONDITION", "UNAUTHENTICATED", "PERMISSION_DENIED"];
/** Further on, the words may be those of the request. */
const OWN_WORDS = /^API key\b/i;
const UNAUTHORIZED = 401;

function concernsAccount(error: JsonObject): boolean {
  if (OWN_STATUSES.includes(String(error.status))) return true;
  if (OWN_WORDS.test(String(error.message))) return true;
  const details = Array.isArray(error.details) ? error.details : [];
  return details.some((detail) => isObject(detail) && OWN_REASONS.includes(String(detail.reason)));
}

/** Apart: a vendor may quote its caller, who may write the first words many times. */
const TOO_LONG = [/token count/i, /exceeds the maximum number of (?:input )?tokens/i];
/** Keys of this vendor do not look like those of others. */
const VENDOR_KEY = /\bAIza[\w-]{8,}/g;

/** A vendor's refusal: the client's mistakes with the vendor's words, all else as 503. */
export function readGeminiFault(status: number, body: unknown): Fault {
  const error = errorOf(body);
  if (!error) return faultOfVendor(status, body);
  const told = typeof error.message === "string" ? error.message : "";
  const message = told.replace(VENDOR_KEY, "…");
  const code = TOO_LONG.every((words) => words.test(message))
    ? "context_length_exceeded"
    : undefined;
  const corrected = concernsAccount(error) ? UNAUTHORIZED : status;
  return faultOfVendor(corrected, { error: { message, code } });
}

/** An error that arrived inside an answer whose status was fine. */
export function faultOfAnswer(error: JsonObject): Fault {
  return faultInside(error, readGeminiFault);
}

/** The vendor ended an answer in a way that leaves nothing to use. */
export function faultOfFinish(reason: string): Fault {
  return upstreamUnavailable(new Error(`the vendor ended its answer with ${reason}`));
}
