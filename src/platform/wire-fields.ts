import { Refusal, type WireObject } from "./endpoint.ts";
import { member } from "./wire-json.ts";

const PAGE_MAX = 20;

/** The media id that a call is about. */
export function mediaIdField(body: WireObject): string {
  const id = member(body, "media_id") ?? "";
  if (id === "") throw new Refusal(41006, { field: "media_id" });
  if (typeof id !== "string") throw new Refusal(40007, { field: "media_id" });
  return id;
}

function wholeNumber(body: WireObject, field: string, min: number, max: number): number {
  const value = member(body, field);
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new Refusal(40097, { field });
}

/** Which part of a list is asked for, and whether without the texts. */
export function pageFields(body: WireObject) {
  const offset = wholeNumber(body, "offset", 0, Number.MAX_SAFE_INTEGER);
  const count = wholeNumber(body, "count", 1, PAGE_MAX);
  const bare = member(body, "no_content") == null ? 0 : wholeNumber(body, "no_content", 0, 1);
  return { offset, count, withContent: bare === 0 };
}
