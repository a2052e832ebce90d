import { Fault } from "../lib/faults.ts";
import { redact } from "../lib/secrets/secrets.ts";
import { isObject, type JsonObject } from "./fields.ts";
import { errorIn, statusInBody } from "./status-in-body.ts";

/** Vendor statuses that mean the request itself was at fault, not the vendor or our credential. */
const CLIENT_STATUSES = [400, 413, 422];
const MESSAGE_CHARS_MAX = 2_000;

/** Nothing of a vendor credential may reach a client, wherever the vendor put it. */
function clean(message: string): string {
  return redact(message).slice(0, MESSAGE_CHARS_MAX);
}

interface VendorError {
  readonly message: string | undefined;
  readonly code: string | undefined;
  readonly param: string | undefined;
}

/** The error of an OpenAI-shaped body, `{"error":{…}}` or the error object itself; xAI's is a sentence, `{"error":"…"}`. */
export function readVendorError(body: unknown): VendorError {
  const outer = isObject(body) ? body : {};
  const error = isObject(outer.error) ? outer.error : outer;
  const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);
  const message = text(error.message) ?? text(outer.error);
  return { message, code: text(error.code), param: text(error.param) };
}

export function upstreamUnavailable(cause?: unknown): Fault {
  return new Fault(
    "upstream_unavailable",
    "The upstream model service is unavailable. Try again shortly.",
    { cause, headers: { "retry-after": "1" } },
  );
}

/** What cannot be read as the vendor's wire is the vendor's failure. */
export function vendorFault(thrown: unknown): Fault {
  return thrown instanceof Fault ? thrown : upstreamUnavailable(thrown);
}

/** So OpenAI says it with a 429 and Groq with a 413, which are for other things too. */
const QUOTA_STATUSES = [413, 429];
const OVER_QUOTA = /^request too large for\b.*\btokens per \w/i;

/** Whether a request was refused for its size by a limit that is our account's, and not the model's. */
export function isOverQuota(status: number, sentence: string): boolean {
  return QUOTA_STATUSES.includes(status) && OVER_QUOTA.test(sentence);
}

/** In our own words: the vendor's name our account, and its limit is the operator's business. */
export function overQuota(said: string): Fault {
  const message =
    "The request has more tokens, with the maximum of its output, than this gateway may send for the model within a " +
    "minute. Shorten it, or lower that maximum.";
  return new Fault("over_upstream_quota", message, { cause: new Error(clean(said)) });
}

/** A vendor's refusal → ours: the client's mistakes with the vendor's words, all else as 503. */
export function faultOfVendor(status: number, body: unknown): Fault {
  const { message, code, param } = readVendorError(body);
  if (isOverQuota(status, message ?? "")) return overQuota(`vendor status ${status}: ${message}`);
  if (!CLIENT_STATUSES.includes(status)) {
    return upstreamUnavailable(new Error(`vendor status ${status}: ${clean(message ?? "")}`));
  }
  const name = code === "context_length_exceeded" ? code : "upstream_rejected";
  return new Fault(name, clean(message ?? `The vendor refused the request (${status}).`), {
    param,
  });
}

/** How vendors begin that say of our account what they call a bad request: it may not be used, or not from here. */
const OUR_ACCOUNT =
  /^(?:your credit balance is too low|you have reached your (?:\w+ ){0,2}API usage limits|(?:this|your) organization has been disabled|user location is not supported for the API use|gemini API free tier is not available)\b/i;
/** They also begin with a place in the request, which clients name as they like, and then say what is wrong there. */
const BEHIND_PLACE = /:\s/;

/** True if a refusal means our account with the vendor, although its status means the request. */
export function concernsOurAccount(sentence: string): boolean {
  return OUR_ACCOUNT.test(sentence) && !BEHIND_PLACE.test(sentence);
}

/** Reads a refusal of a wire by its status. */
type ReadFault = (status: number, body: unknown) => Fault;

/** What a vendor wrote in place of an answer, under a status that was fine: the cause of a fault. */
export class ErrorInside extends Error {
  /** The status that it says itself to be. */
  readonly status: number;
  readonly body: unknown;
  /** As its wire reads what comes under such a status. */
  readonly read: ReadFault;

  constructor(message: string, status: number, body: unknown, read: ReadFault) {
    super(message);
    this.status = status;
    this.body = body;
    this.read = read;
  }

  /** The same with its texts changed. */
  with(change: (text: string) => string): ErrorInside {
    const changed = (_name: string, value: unknown) =>
      typeof value === "string" ? change(value) : value;
    const body = JSON.parse(JSON.stringify(this.body), changed);
    return new ErrorInside(change(this.message), this.status, body, this.read);
  }
}

/** An error that came as an event or in place of an answer: as under the status that it says itself to be, if any. */
export function faultInside(error: JsonObject, read: ReadFault): Fault {
  const { message, code } = readVendorError(error);
  const said = `vendor event: ${clean(message ?? code ?? "error")}`;
  const status = statusInBody(error);
  if (status === undefined) return upstreamUnavailable(new Error(said));
  const body = { error };
  const heard = read(status, body);
  return new Fault(heard.fault, heard.message, {
    param: heard.param ?? undefined,
    headers: heard.headers,
    cause: new ErrorInside(said, status, body, read),
  });
}

/** The same on OpenAI's wires, where the error may be the event itself. */
export function faultOfEvent(body: unknown): Fault {
  const error = errorIn(body) ?? (isObject(body) ? body : {});
  return faultInside(error, faultOfVendor);
}
