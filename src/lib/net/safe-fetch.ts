import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf, mayReach, safeLookup } from "./private-address.ts";

/** Decides which addresses may be called for users who are not operators. */
export interface AddressFilter {
  /** Whether the operator lets calls go to networks of his own. */
  readonly allowPrivate: boolean;
  /** Whether this one is called wherever it leads; none is where absent. */
  readonly isExempt?: (url: URL) => boolean;
  /** Asks for the addresses of a name; the system's by default. */
  readonly lookup?: LookupFunction;
}

export interface SafeFetchCall {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Largest answer. */
  readonly bytesMax: number;
  /** From the first hop to the last byte. */
  readonly deadlineMs: number;
  /** How many redirects are followed; a call with a body follows none. */
  readonly redirectsMax?: number;
}

export interface SafeFetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

type SafeFetchReason =
  | "address_malformed"
  | "address_private"
  | "redirects"
  | "proxy"
  | "answer_too_large"
  | "deadline"
  | "unreachable"
  | "broken";

/** The call was not made, or its answer not had. */
export class SafeFetchError extends Error {
  override readonly name = "SafeFetchError";
  readonly reason: SafeFetchReason;
  /** Whether the other side may have got the request, so that its outcome is unknown. */
  readonly sent: boolean;

  constructor(reason: SafeFetchReason, message: string, sent: boolean) {
    super(message);
    this.reason = reason;
    this.sent = sent;
  }
}

/** Failures before a connection stood, so that nothing of the request has left. */
const UNSENT = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENODATA",
  "ENOTFOUND",
]);
const URL_CHARS_MAX = 8_192;

/** Whether a call failed before its connection stood. */
export function isUnsent(thrown: unknown): boolean {
  return UNSENT.has((thrown as { code?: string } | undefined)?.code ?? "");
}

function notSent(reason: SafeFetchReason, message: string): SafeFetchError {
  return new SafeFetchError(reason, message, false);
}

function privateAddress(url: URL): SafeFetchError {
  return notSent("address_private", `${url.origin} is in a private network.`);
}

/** What can be told of an address before its name is looked up. */
export function readTarget(text: string, filter: AddressFilter, base?: URL): URL {
  if (text.length > URL_CHARS_MAX) {
    throw notSent("address_malformed", `The address is over ${URL_CHARS_MAX} characters.`);
  }
  const url = URL.parse(text, base?.href);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw notSent("address_malformed", "The address must begin with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw notSent("address_malformed", "The address must not carry a name or a password.");
  }
  if (filter.isExempt?.(url)) return url;
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host, reachOf(filter))) throw privateAddress(url);
  return url;
}

function reachOf(filter: AddressFilter): "own-networks" | "none" {
  return filter.allowPrivate ? "own-networks" : "none";
}

function lookupFor(url: URL, filter: AddressFilter): LookupFunction {
  const lookup = filter.lookup ?? systemLookup;
  if (filter.isExempt?.(url)) return lookup;
  return safeLookup(lookup, reachOf(filter), () => privateAddress(url));
}

/** How the addresses of a host are found, all of which are judged; throws for one that is written out. */
export function judgedLookup(url: URL, filter: AddressFilter): LookupFunction {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host, reachOf(filter))) throw privateAddress(url);
  return lookupFor(url, filter);
}

function toSafeFetchError(thrown: unknown, url: URL): SafeFetchError {
  if (thrown instanceof SafeFetchError) return thrown;
  const { code } = thrown as { code?: string };
  const sent = !isUnsent(thrown);
  const words = code ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new SafeFetchError(
    sent ? "broken" : "unreachable",
    `${url.origin} could not be called: ${words}.`,
    sent,
  );
}

/** The answer to one request, as soon as its head is there. */
function open(
  url: URL,
  filter: AddressFilter,
  call: SafeFetchCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const begin = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = begin(url, {
    method: call.method ?? "GET",
    headers: {
      "accept-encoding": "identity",
      ...call.headers,
      ...(call.body && { "content-length": String(call.body.length) }),
    },
    lookup: lookupFor(url, filter),
    // A connection that is kept could lead elsewhere than the name does now.
    agent: false,
  });
  request.on("response", resolve);
  request.on("error", reject);
  const abort = () => {
    reject(signal.reason);
    request.destroy();
  };
  signal.addEventListener("abort", abort, { once: true });
  request.on("close", () => {
    signal.removeEventListener("abort", abort);
    // One that speaks another protocol (101) is closed without an answer and without an error.
    reject(new Error("the connection was closed"));
  });
  if (signal.aborted) abort();
  else request.end(call.body);
  return promise;
}

/** The body, read no further than its limit, whatever its length claims to be. */
export function readAnswer(
  answer: IncomingMessage,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const take = (length: number) => {
    bytes += length;
    if (bytes <= bytesMax) return true;
    const message = `The answer is over ${bytesMax} bytes.`;
    reject(new SafeFetchError("answer_too_large", message, true));
    answer.destroy();
    return false;
  };
  answer.on("data", (chunk: Uint8Array) => {
    if (take(chunk.length)) chunks.push(chunk);
  });
  answer.on("end", () => resolve(Buffer.concat(chunks)));
  answer.on("error", reject);
  answer.on("close", () => reject(new Error("the answer ended early")));
  const abort = () => {
    reject(signal.reason);
    answer.destroy();
  };
  signal.addEventListener("abort", abort, { once: true });
  const claimed = Number(answer.headers["content-length"] ?? 0);
  if (claimed > bytesMax) take(claimed);
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

function redirectOf(answer: IncomingMessage): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0);
  return isRedirect ? answer.headers.location : undefined;
}

async function follow(
  first: URL,
  filter: AddressFilter,
  call: SafeFetchCall,
  signal: AbortSignal,
): Promise<SafeFetchResponse> {
  const redirectsMax = call.body === undefined ? (call.redirectsMax ?? 0) : 0;
  let url = first;
  for (let hops = 0; ; hops += 1) {
    try {
      const answer = await open(url, filter, call, signal);
      const next = redirectOf(answer);
      if (next === undefined) {
        const bytes = await readAnswer(answer, call.bytesMax, signal);
        return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, url: url.href };
      }
      answer.destroy();
      if (hops >= redirectsMax) {
        const message = `${url.origin} redirects; at most ${redirectsMax} redirects are followed.`;
        throw new SafeFetchError("redirects", message, true);
      }
      url = readTarget(next, filter, url);
    } catch (thrown) {
      throw toSafeFetchError(thrown, url);
    }
  }
}

/**
 * Calls an address that somebody else has chosen. Names are looked up once, every address they have
 * is judged, and the connection goes to one of those; each hop of a redirect is judged anew.
 */
export async function safeFetch(
  address: string,
  filter: AddressFilter,
  call: SafeFetchCall,
): Promise<SafeFetchResponse> {
  const url = readTarget(address, filter);
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    const message = `${url.origin} took longer than ${call.deadlineMs} ms.`;
    deadline.abort(new SafeFetchError("deadline", message, true));
  }, call.deadlineMs);
  try {
    return await follow(url, filter, call, deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
