import { PlatformError } from "../platform-error.ts";
import { type JsonObject, type JsonValue, member } from "./json.ts";

const PAGE_MAX = 20;

/** The media id that a call is about. */
export function mediaIdField(body: JsonObject): string {
  const id = member(body, "media_id") ?? "";
  if (id === "") throw new PlatformError(41006, "media_id");
  if (typeof id !== "string") throw new PlatformError(40007, "media_id");
  return id;
}

/** A text, empty where there is none or something else. */
export function textMember(body: JsonObject, field: string): string {
  const value = member(body, field);
  return typeof value === "string" ? value : "";
}

function wholeNumber(body: JsonObject, field: string, min: number, max: number): number {
  const value = member(body, field);
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new PlatformError(40097, field);
}

/**
 * Yes or no as senders write it: a number by some, a boolean by others, and the platform reads both.
 * Undefined for anything else.
 */
export function asFlag(value: JsonValue | undefined): 0 | 1 | undefined {
  if (value === true || value === 1) return 1;
  return value === false || value === 0 ? 0 : undefined;
}

/** Which part of a list is asked for, and whether without the texts. */
export function pageFields(body: JsonObject) {
  const offset = wholeNumber(body, "offset", 0, Number.MAX_SAFE_INTEGER);
  const count = wholeNumber(body, "count", 1, PAGE_MAX);
  const bare = asFlag(member(body, "no_content") ?? 0);
  if (bare === undefined) throw new PlatformError(40097, "no_content");
  return { offset, count, withContent: bare === 0 };
}
