// What OpenAI's two wires say in the same words.
import {
  checkWord,
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalObject,
  optionalString,
  shownName,
  wrongType,
  wrongValue,
} from "./fields.ts";

export const VERBOSITIES = ["low", "medium", "high"];

/** Names by which a vendor tells a customer's users, or its own caches, from one another. */
const NAMES = ["user", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"];

export function checkNames(body: JsonObject): void {
  for (const name of NAMES) optionalString(body, name);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** A client's own words about a request, by names of its own. */
export function checkMetadata(body: JsonObject): void {
  const metadata = optionalObject(body, "metadata");
  for (const name in metadata) {
    const value = metadata[name];
    if (typeof value === "string") continue;
    // LiteLLM's clients label their requests so.
    if (name === "tags" && isTexts(value)) continue;
    throw wrongType(`metadata.${shownName(name)}`, "a string", value);
  }
}

/** What a function says of itself, beside its name. */
export function checkFunction(declared: JsonObject, path: string): void {
  optionalString(declared, "description", path);
  optionalObject(declared, "parameters", path);
  optionalBoolean(declared, "strict", path);
}

/** What only a stream has makes no sense without one. */
export function checkStreamOptions(body: JsonObject): void {
  const options = optionalObject(body, "stream_options");
  if (options === undefined) return;
  optionalBoolean(options, "include_usage", "stream_options");
  optionalBoolean(options, "include_obfuscation", "stream_options");
  if (optionalBoolean(body, "stream")) return;
  throw wrongValue("stream_options", "it is only allowed where 'stream' is true.");
}

/** Kinds of parts are the wire's own, but for those that a vendor names by a prefix. */
export function checkPartKind(part: JsonObject, kinds: readonly string[], path: string): void {
  const kind = String(part.type);
  if (kind.includes(":")) return;
  if (!kinds.includes(kind)) checkWord(kind, kinds, `${path}.type`);
}

/** An address, or on the chat wire an object that holds one; some clients send that on both. */
export function checkPicture(picture: unknown, path: string): void {
  if (typeof picture === "string") return;
  if (!isObject(picture)) throw wrongType(path, "a string or an object with a 'url'", picture);
  if (typeof picture.url !== "string") {
    throw wrongType(`${path}.url`, "a string", picture.url);
  }
  optionalString(picture, "detail", path);
}
