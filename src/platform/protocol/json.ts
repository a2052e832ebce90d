import { FORM_BOUNDS, weighJson } from "../../lib/json/json-bounds.ts";
import { PlatformError } from "../platform-error.ts";
import type { ProfileRules } from "../profile.ts";
import { parseKeepingEscapes } from "./kept-escapes.ts";

/** A JSON value as it came over the wire. Objects have no prototype that a sender could reach. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

function parse(text: string, rules: ProfileRules): JsonValue {
  // Only escapes are read otherwise, and most bodies have none.
  const isPlain = !rules.keepsEscapes || !text.includes("\\u");
  try {
    weighJson(text, FORM_BOUNDS);
    return isPlain ? (JSON.parse(text) as JsonValue) : parseKeepingEscapes(text);
  } catch {
    throw new PlatformError(47001);
  }
}

/** The body of a call as JSON, read as the profile reads it. */
export function readJsonBody(body: Uint8Array, rules: ProfileRules): JsonValue {
  if (body.length === 0) throw new PlatformError(44002);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new PlatformError(47001);
  }
  if (text.trim() === "") throw new PlatformError(44002);
  return parse(text, rules);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that the sender wrote; what every object inherits is not one. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The body as an object: whatever else it is, it is not data of any call. */
export function wireObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new PlatformError(47001);
  return value;
}

export function writeJsonBody(value: JsonValue, rules: ProfileRules): string {
  const text = JSON.stringify(value);
  // A slash can only stand in a string, where it may be escaped.
  return rules.talkative ? text.replaceAll("/", "\\/") : text;
}
