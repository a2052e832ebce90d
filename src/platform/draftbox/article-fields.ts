import { isBlank } from "../../wechat/seen.ts";
import { type JsonObject, type JsonValue, PlatformError } from "../endpoint.ts";
import type { ProfileRules } from "../profile.ts";
import { asFlag } from "../protocol/fields.ts";
import { isJsonObject, member } from "../protocol/json.ts";

function wrong(field: string): PlatformError {
  return new PlatformError(40035, { field });
}

/** Many senders write null where they have nothing. */
function given(article: JsonObject, field: string): JsonValue | undefined {
  return member(article, field) ?? undefined;
}

/** A text, empty when it was left out. */
export function textField(article: JsonObject, field: string): string {
  const value = given(article, field) ?? "";
  if (typeof value !== "string") throw wrong(field);
  return value;
}

export function requiredText(article: JsonObject, field: string): string {
  const text = textField(article, field);
  if (isBlank(text)) throw wrong(field);
  return text;
}

const FLAG_TEXTS: Readonly<Record<string, 0 | 1>> = { "0": 0, "1": 1, false: 0, true: 1 };

/** The document has only numbers here; what else is read depends on the profile. */
export function flagField(article: JsonObject, field: string, rules: ProfileRules): 0 | 1 {
  const value = given(article, field) ?? 0;
  const isText = typeof value === "string" && Object.hasOwn(FLAG_TEXTS, value);
  if (isText && rules.flags === "any") return FLAG_TEXTS[value] ?? 0;
  const flag = asFlag(value);
  const isRead = typeof value === "number" || rules.flags !== "numbers";
  if (flag === undefined || !isRead) throw wrong(field);
  return flag;
}

/** An object, or undefined when it was left out. */
export function objectField(article: JsonObject, field: string): JsonObject | undefined {
  const value = given(article, field);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrong(field);
  return value;
}

export function listField(object: JsonObject, field: string): readonly JsonValue[] {
  const value = given(object, field) ?? [];
  if (!Array.isArray(value)) throw wrong(field);
  return value;
}
