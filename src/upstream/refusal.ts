import { systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import {
  concernsOurAccount,
  ErrorInside,
  isOverQuota,
  overQuota,
  readVendorError,
  upstreamUnavailable,
} from "../protocols/faults.ts";
import { isObject } from "../protocols/fields.ts";
import { forOperators } from "./channels/credentials.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { AnswerHeaders } from "./transport/vendor-answer.ts";

/**
 * Whose doing a refusal is: the request itself, the key, the rate of the key, a model that the
 * channel does not have, the vendor, or the way to it.
 */
export type RefusalKind = "client" | "credential" | "rate" | "model" | "vendor" | "unreachable";

/** Reads a refusal of the wire that was spoken. */
export type ReadFault = ErrorInside["read"];

interface RefusalFacts {
  readonly kind: RefusalKind;
  /** What the client would hear. */
  readonly fault: Fault;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The key has nothing left to spend: it is of no use to any model for a while. */
  readonly exhausted?: boolean;
  /** The request alone is more than the key may send in a minute: others that are smaller are taken. */
  readonly tooLarge?: boolean;
}

/** How both transports begin what they say of a connection that was refused, or is gone. */
const CONNECTION_BROKE = /^(?:ECONNRESET|ECONNREFUSED|EPIPE)\b/;

/** A vendor that did not answer with an answer. The message is for operators and holds no key. */
export class VendorRefusal extends Error {
  override readonly name = "VendorRefusal";
  readonly kind: RefusalKind;
  readonly fault: Fault;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly exhausted: boolean;
  readonly tooLarge: boolean;

  constructor(message: string, facts: RefusalFacts) {
    super(forOperators(message), { cause: facts.fault });
    this.kind = facts.kind;
    this.fault = facts.fault;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.exhausted = facts.exhausted ?? false;
    this.tooLarge = facts.tooLarge ?? false;
  }

  /** Whether another key or another channel may do better. */
  get retryable(): boolean {
    return this.kind !== "client";
  }

  /**
   * Whether the same channel may do better when it is asked again at once: after an error of its own, or a
   * connection that broke before a word of the answer. Not where it wants to be left alone for a while, has
   * let us wait as long as we do, or cannot be understood or trusted.
   */
  get isPassing(): boolean {
    const { kind, message, status = 0, retryAfterMs: restMs = 0 } = this;
    if (kind === "unreachable") return CONNECTION_BROKE.test(message);
    return kind === "vendor" && status >= 500 && restMs === 0;
  }
}

/** A refusal as it came: its body read, with the key that was sent taken out of it. */
interface RefusedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Parsed, where it was JSON. */
  readonly body: unknown;
}

const KINDS: Readonly<Record<number, RefusalKind>> = {
  400: "client",
  401: "credential",
  402: "credential",
  403: "credential",
  404: "model",
  413: "client",
  422: "client",
  429: "rate",
};

/**
 * One customer's words must not cost all others the key, so these are told from it. Vendors quote what they refuse: only
 * what they say themselves counts.
 */
const ABOUT_CONTENT =
  /moderat|flagged|safety|content[ _-](?:policy|filter)|usage (?:guidelines|polic)|violat/i;
const ABOUT_ACCOUNT = /\b(?:account|organi[sz]ation|project|api key)\b/i;
const ABOUT_MODEL = /\b(?:model|deployment)\b/i;
/**
 * Google and xAI call a wrong key a bad request, and Alibaba an account that owes: by a name, or at the beginning of what
 * they say.
 */
const ABOUT_KEY =
  /^(?:api_key_(?:invalid|expired)$|arrearage$|api key (?:not valid|expired|invalid)\b|invalid api key\b|incorrect api key provided\b)/i;
const ABOUT_ITEM = /\bitem with id\b|items are not persisted/i;
const EXHAUSTED =
  /insufficient_quota|billing_hard_limit|exceeded_current_quota|insufficient balance/i;

/** By the status, the vendor's own words, and what a client would hear by the reader of the wire. */
function kindOf(status: number, said: readonly string[], heard: Fault): RefusalKind {
  const words = said.join("\n");
  // The request names something that the vendor never kept.
  if (status === 404 && ABOUT_ITEM.test(words)) return "client";
  if (status === 400 && said.some((each) => ABOUT_KEY.test(each))) return "credential";
  const ofContent = status === 403 && ABOUT_CONTENT.test(words) && !ABOUT_ACCOUNT.test(words);
  if (ofContent) return "client";
  if (status === 403 && ABOUT_MODEL.test(words)) return "model";
  // Redirects too: following one would carry the prompt and the key elsewhere.
  const kind = KINDS[status] ?? "vendor";
  if (kind !== "client" || heard.status < 500) return kind;
  // The status blames the request, and the wire knows better. The key is out only where that is sure.
  return said.some(concernsOurAccount) ? "credential" : "vendor";
}

/** What stands in quotes is of the request. An apostrophe within a word opens none. */
const QUOTED = /"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g;

/** The vendor's own words: its sentence without what it quotes, and its names for what is wrong. */
function wordsOf(body: unknown): readonly string[] {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isObject(outer)) return typeof outer === "string" ? [outer] : [];
  const error = isObject(outer.error) ? outer.error : outer;
  const details = Array.isArray(error.details) ? error.details : [];
  const names = [error.code, error.type, error.status, ...details.map((each) => each?.reason)];
  const sentences = [error.message, outer.error, outer.detail, outer.message];
  const isText = (value: unknown) => typeof value === "string";
  return [
    ...sentences.filter(isText).map((sentence) => sentence.replaceAll(QUOTED, "…").trim()),
    ...names.filter(isText),
  ];
}

function messageOf(status: number, body: unknown): string {
  const outer = Array.isArray(body) ? body[0] : body;
  const { message } = readVendorError(outer);
  const detail = isObject(outer) && typeof outer.detail === "string" ? outer.detail : undefined;
  return `${status} ${message ?? detail ?? ""}`.trim();
}

/** No refusal says more that anybody would read. */
export const REFUSAL_CHARS_MAX = 64 * 1024;

/** The vendor's words for what the client did, and one sentence for all that it did not do. */
function faultFor(kind: RefusalKind, heard: Fault, body: unknown, read: ReadFault): Fault {
  if (kind === "client") return heard.status < 500 ? heard : read(400, body);
  return heard.status < 500 ? upstreamUnavailable(heard) : heard;
}

/** The same fault with the vendor's own wish for how long to wait. */
function waiting(fault: Fault, afterMs: number | undefined): Fault {
  if (afterMs === undefined || fault.status < 500) return fault;
  const seconds = String(Math.max(1, Math.ceil(afterMs / 1_000)));
  const headers = { ...fault.headers, "retry-after": seconds };
  return new Fault(fault.fault, fault.message, {
    param: fault.param ?? undefined,
    headers,
    cause: fault.cause,
  });
}

export function refusalOfAnswer(
  answer: RefusedAnswer,
  read: ReadFault,
  nowMs: number,
): VendorRefusal {
  const { status, headers, body } = answer;
  const said = wordsOf(body);
  const heard = read(status, body);
  const tooLarge = said.some((each) => isOverQuota(status, each));
  const kind = tooLarge ? "rate" : kindOf(status, said, heard);
  const afterMs = retryAfterMs(headers, body, nowMs);
  const message = messageOf(status, body);
  const fault = tooLarge ? overQuota(message) : faultFor(kind, heard, body, read);
  return new VendorRefusal(message, {
    kind,
    status,
    retryAfterMs: afterMs,
    exhausted: kind === "rate" && said.some((each) => EXHAUSTED.test(each)),
    tooLarge,
    fault: waiting(fault, afterMs),
  });
}

/**
 * What a fault has of a vendor's own words, for the receipt: the whole of it where it quotes the vendor, or
 * else what stands behind our one sentence for all that clients did not do.
 */
export function wordsOfVendor({ fault, message, cause, status }: Fault): string | null {
  const behindOurs = fault === "upstream_unavailable" || fault === "over_upstream_quota";
  if (behindOurs) return cause instanceof Error ? forOperators(cause.message) : null;
  return status < 500 ? forOperators(message) : null;
}

/** The vendor could not be reached, broke off, or kept silent. */
export function refusalOfSilence(reason: unknown): VendorRefusal {
  const message = reason instanceof Error ? reason.message : String(reason);
  return new VendorRefusal(message, { kind: "unreachable", fault: upstreamUnavailable(reason) });
}

/** We hung up ourselves, since nobody waits any more: no fault of the vendor's. */
export function refusalOfLeaving(reason: unknown): VendorRefusal {
  return new VendorRefusal("hung up", { kind: "client", fault: upstreamUnavailable(reason) });
}

const NO_HEADERS = new Headers();

/** An error inside a 200 is what it would have been under the status that it says itself to be. */
function refusalInside({ status, body, read }: ErrorInside): VendorRefusal {
  return refusalOfAnswer({ status, headers: NO_HEADERS, body }, read, systemClock());
}

/**
 * Whatever was thrown while an answer was waited for. A failure inside a 200 comes as a fault: below 500 it blames the
 * request, unless that is only too large for our account. What is no fault at all is a mistake of ours and blames
 * nobody, and so is any other fault.
 */
export function refusalOf(thrown: unknown): VendorRefusal | undefined {
  if (thrown instanceof VendorRefusal) return thrown;
  if (!(thrown instanceof Fault)) return undefined;
  if (thrown.cause instanceof ErrorInside) return refusalInside(thrown.cause);
  const cause = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : "";
  if (thrown.fault === "upstream_unavailable") {
    return new VendorRefusal(`${thrown.message}${cause}`, { kind: "vendor", fault: thrown });
  }
  if (thrown.status >= 500) return undefined;
  if (thrown.fault === "over_upstream_quota") {
    const message = wordsOfVendor(thrown) ?? thrown.message;
    return new VendorRefusal(message, { kind: "rate", tooLarge: true, fault: thrown });
  }
  return new VendorRefusal(thrown.message, { kind: "client", fault: thrown });
}
