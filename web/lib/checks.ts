// What is looked at before anything is sent, in the page's own words.
import type { Translate } from "../i18n/language.tsx";

const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** What the server takes for one where somebody is to be written to. */
const MAIL_ADDRESS = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 128;

export function requiredError(typed: string, t: Translate): string | undefined {
  return typed.trim() === "" ? t("errors.required") : undefined;
}

/** The server knows better; this only finds what cannot be one. */
export function emailError(typed: string, t: Translate): string | undefined {
  const empty = requiredError(typed, t);
  return empty ?? (EMAIL.test(typed.trim()) ? undefined : t("errors.badEmail"));
}

/** Of somebody else, whom the server will write to or invite. */
export function isMailAddress(text: string): boolean {
  return MAIL_ADDRESS.test(text);
}

/** Of a password that is chosen now. */
export function newPasswordError(typed: string, t: Translate): string | undefined {
  if (typed.length < PASSWORD_CHARS_MIN) return t("errors.passwordShort");
  return typed.length > PASSWORD_CHARS_MAX ? t("errors.passwordLong") : undefined;
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function webAddressError(typed: string, t: Translate): string | undefined {
  return (
    requiredError(typed, t) ?? (isWebAddress(typed.trim()) ? undefined : t("errors.webAddress"))
  );
}

/** Only the fields at which something is wrong. */
export function errorsOf<Name extends string>(
  found: Readonly<Record<Name, string | undefined>>,
): Partial<Record<Name, string>> {
  const wrong = Object.entries(found).filter(([, words]) => words !== undefined);
  return Object.fromEntries(wrong) as Partial<Record<Name, string>>;
}
