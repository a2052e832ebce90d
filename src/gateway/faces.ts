import type { FaultFace, Sent, SentHeaders } from "../lib/route.ts";
import type { PassWire } from "../protocols/wire.ts";
import type { Services } from "./services.ts";

/** Whose clients call: they differ in how they show a key, and in the errors and lists they can read. */
export type FaceName = "openai" | "messages" | "gemini";

/** Where Google's clients show a key if not in a header. It is read there and goes nowhere else. */
export const KEY_PARAMETER = "key";

/** Paths that only one vendor's clients ask for. */
const PLACES: readonly (readonly [FaceName, RegExp])[] = [
  ["messages", /^\/v1\/messages(?:\/|$)/],
  ["gemini", /^\/(?:v1beta|upload)(?:\/|$)|^\/ws\/google\./],
];

/** A call of a model. What is only looked at may have a colon in its name. */
const CALL = /^\/v1\/models\/.+(?::|%3A)\w+$/i;

/** Who calls by what only its clients send, where the path is that of others too. */
function clientOf(headers: SentHeaders, query: string): FaceName {
  if (headers.has("anthropic-version")) return "messages";
  if (headers.has("x-goog-api-key")) return "gemini";
  const isKeyed = query !== "" && new URLSearchParams(query).has(KEY_PARAMETER);
  return isKeyed && !headers.has("authorization") ? "gemini" : "openai";
}

/** The path of an address and what follows it. Unlike a parser's it is there whatever the host is. */
const ADDRESS = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/;

/** A path below OpenRouter's base URL as what it is below `/v1`. */
export function plainPath(path: string): string {
  return path.startsWith("/api/v1/") ? path.slice("/api".length) : path;
}

/** Whose client a request is from, by its path or else by what it sends. */
export function faceAt({
  method,
  url,
  headers,
}: Pick<Sent, "method" | "url" | "headers">): FaceName {
  const [, written = "", query = ""] = ADDRESS.exec(url) ?? [];
  const path = plainPath(written.replace(/\/{2,}/g, "/"));
  const place = PLACES.find(([, pattern]) => pattern.test(path))?.[0];
  if (place) return place;
  return method !== "GET" && CALL.test(path) ? "gemini" : clientOf(headers, query);
}

type Faces = Readonly<Record<FaceName, FaultFace | undefined>>;

function faceOf(wire: PassWire, requestIdHeader?: string): FaultFace {
  const body: FaultFace["body"] = (fault, requestId) => wire.writeFault(fault, requestId);
  return requestIdHeader === undefined ? { body } : { body, requestIdHeader };
}

/** How each kind of client is told of errors; the common way is OpenAI's. */
export function openFaces({ wires }: Pick<Services, "wires">): Faces {
  return {
    openai: undefined,
    messages: faceOf(wires.messages, "request-id"),
    gemini: faceOf(wires.gemini),
  };
}
