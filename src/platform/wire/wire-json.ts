import { FORM_BOUNDS, weighJson } from "../../lib/json/json-bounds.ts";
import { PlatformError, type WireObject, type WireValue } from "../endpoint.ts";
import type { ProfileRules } from "../profile.ts";
import { parseKeepingEscapes } from "./kept-escapes.ts";

function parse(text: string, rules: ProfileRules): WireValue {
  // Only escapes are read otherwise, and most bodies have none.
  const isPlain = !rules.keepsEscapes || !text.includes("\\u");
  try {
    weighJson(text, FORM_BOUNDS);
    return isPlain ? (JSON.parse(text) as WireValue) : parseKeepingEscapes(text);
  } catch {
    throw new PlatformError(47001);
  }
}

/** The body of a call as JSON, read as the profile reads it. */
export function readWireJson(body: Uint8Array, rules: ProfileRules): WireValue {
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

export function isWireObject(value: WireValue | undefined): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that the sender wrote; what every object inherits is not one. */
export function member(object: WireObject, name: string): WireValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The body as an object: whatever else it is, it is not data of any call. */
export function wireObject(value: WireValue): WireObject {
  if (!isWireObject(value)) throw new PlatformError(47001);
  return value;
}

export function writeWireJson(value: WireValue, rules: ProfileRules): string {
  const text = JSON.stringify(value);
  // A slash can only stand in a string, where it may be escaped.
  return rules.talkative ? text.replaceAll("/", "\\/") : text;
}
