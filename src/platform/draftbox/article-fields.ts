import { isBlank } from "../../wechat/seen.ts";
import { PlatformError } from "../platform-error.ts";
import type { ProfileRules } from "../profile.ts";
import { asFlag } from "../protocol/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, member } from "../protocol/json.ts";

/** Many senders write null where they have nothing. */
function given(article: JsonObject, field: string): JsonValue | undefined {
  return member(article, field) ?? undefined;
}

/** A text, empty when it was left out. */
export function textField(article: JsonObject, field: string): string {
  const value = given(article, field) ?? "";
  if (typeof value !== "string") throw new PlatformError(40035, field);
  return value;
}

export function requiredText(article: JsonObject, field: string): string {
  const text = textField(article, field);
  if (isBlank(text)) throw new PlatformError(40035, field);
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
  if (flag === undefined || !isRead) throw new PlatformError(40035, field);
  return flag;
}

/** An object, or undefined when it was left out. */
export function objectField(article: JsonObject, field: string): JsonObject | undefined {
  const value = given(article, field);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new PlatformError(40035, field);
  return value;
}

export function listField(object: JsonObject, field: string): readonly JsonValue[] {
  const value = given(object, field) ?? [];
  if (!Array.isArray(value)) throw new PlatformError(40035, field);
  return value;
}
