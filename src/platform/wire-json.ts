import { Refusal, type WireObject, type WireValue } from "./endpoint.ts";
import { scanJson } from "./json-scanner.ts";
import type { ProfileRules } from "./profile.ts";

const codes = (chars: string) => new Set([...chars].map((char) => char.charCodeAt(0)));
const OPENING = codes("[{");
const CLOSING = codes("]}");
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** No call nests deeper than ten. What is nested by the thousand takes seconds to read and write. */
const DEPTH_MAX = 100;

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (OPENING.has(char) && ++depth > DEPTH_MAX) return true;
    else if (CLOSING.has(char)) depth--;
  }
  return false;
}

function parse(text: string, rules: ProfileRules): WireValue {
  if (isTooDeep(text)) throw new Refusal(47001);
  try {
    return rules.keepsEscapes ? scanJson(text) : (JSON.parse(text) as WireValue);
  } catch {
    throw new Refusal(47001);
  }
}

/** The body of a call as JSON, read as the profile reads it. */
export function readWireJson(body: Uint8Array, rules: ProfileRules): WireValue {
  if (body.length === 0) throw new Refusal(44002);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new Refusal(47001);
  }
  if (text.trim() === "") throw new Refusal(44002);
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
  if (!isWireObject(value)) throw new Refusal(47001);
  return value;
}

export function writeWireJson(value: WireValue, rules: ProfileRules): string {
  const text = JSON.stringify(value);
  // A slash can only stand in a string, where it may be escaped.
  return rules.talkative ? text.replaceAll("/", "\\/") : text;
}
