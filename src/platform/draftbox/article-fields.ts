import { Refusal, type WireObject, type WireValue } from "../endpoint.ts";
import type { ProfileRules } from "../profile.ts";
import { isWireObject, member } from "../wire-json.ts";

function wrong(field: string): Refusal {
  return new Refusal(40035, { field });
}

/** Many senders write null where they have nothing. */
function given(article: WireObject, field: string): WireValue | undefined {
  return member(article, field) ?? undefined;
}

/** A text, empty when it was left out. */
export function textField(article: WireObject, field: string): string {
  const value = given(article, field) ?? "";
  if (typeof value !== "string") throw wrong(field);
  return value;
}

export function requiredText(article: WireObject, field: string): string {
  const text = textField(article, field);
  if (text.trim() === "") throw wrong(field);
  return text;
}

export function flagField(article: WireObject, field: string, rules: ProfileRules): 0 | 1 {
  const value = given(article, field) ?? 0;
  const number =
    rules.looseFlags && /^(?:[01]|true|false)$/.test(String(value))
      ? Number(value === "true" || value === true || value === "1" || value === 1)
      : value;
  if (number !== 0 && number !== 1) throw wrong(field);
  return number;
}

/** An object, or undefined when it was left out. */
export function objectField(article: WireObject, field: string): WireObject | undefined {
  const value = given(article, field);
  if (value === undefined) return undefined;
  if (!isWireObject(value)) throw wrong(field);
  return value;
}

export function listField(object: WireObject, field: string): readonly WireValue[] {
  const value = given(object, field) ?? [];
  if (!Array.isArray(value)) throw wrong(field);
  return value;
}
