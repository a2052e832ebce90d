import type { MessageKey } from "../i18n/catalogue.ts";
import { type Translate, useSpeech } from "../i18n/language.tsx";
import { ApiError, OFFLINE, OWN_WORDS } from "./api.ts";
import { isMissingCode } from "./loaded.ts";

/** Refusals that a person meets often, in the person's language; the rest in the server's words. */
const KNOWN: Readonly<Record<string, MessageKey>> = {
  [OFFLINE]: "errors.offline",
  not_signed_in: "errors.signedOut",
  UNAUTHORIZED: "errors.signedOut",
  permission_denied: "errors.permission",
  not_found: "errors.notFound",
  rate_limit_exceeded: "errors.tooOften",
  storage_unavailable: "errors.storage",
  overloaded: "errors.unavailable",
  internal_error: "errors.internal",
  INVALID_EMAIL_OR_PASSWORD: "errors.badSignIn",
  INVALID_EMAIL: "errors.badEmail",
  INVALID_PASSWORD: "errors.badPassword",
  INVALID_TOKEN: "errors.badLink",
  TOKEN_EXPIRED: "errors.badLink",
  INVALID_CODE: "errors.badCode",
  INVALID_TWO_FACTOR_COOKIE: "errors.twoFactorExpired",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "errors.tooOften",
  PASSWORD_TOO_SHORT: "errors.passwordShort",
  PASSWORD_TOO_LONG: "errors.passwordLong",
  USER_ALREADY_EXISTS: "errors.emailTaken",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "errors.emailTaken",
};

/** Why a value was not taken, where its code says no more than that. */
const REASONS = {
  code_unknown: "errors.reason_code_unknown",
  code_used: "errors.reason_code_used",
  code_expired: "errors.reason_code_expired",
  code_revoked: "errors.reason_code_revoked",
  last_owner: "errors.reason_last_owner",
  last_operator: "errors.reason_last_operator",
} as const;

const LIMITS = {
  decimal_below_min_value: "errors.atLeast",
  decimal_above_max_value: "errors.atMost",
} as const;

function isIn<Table extends object>(name: unknown, table: Table): name is keyof Table {
  return typeof name === "string" && Object.hasOwn(table, name);
}

function isPlainKey(key: MessageKey): key is "errors.internal" {
  return key.startsWith("errors.");
}

export function errorWords(error: unknown, t: Translate): string {
  if (isMissingCode(error)) return t("errors.offline");
  if (!(error instanceof ApiError)) return t("errors.internal");
  if (error.status === 429) return t("errors.tooOften");
  if (error.code === OWN_WORDS) return error.message;
  const { reason, limit } = error.facts;
  if (isIn(reason, REASONS)) return t(REASONS[reason]);
  if (isIn(error.code, LIMITS) && typeof limit === "string")
    return t(LIMITS[error.code], { limit });
  const key = KNOWN[error.code];
  if (key && isPlainKey(key)) return t(key);
  return error.message ? t("errors.saidByServer", { words: error.message }) : t("errors.internal");
}

export function useErrorWords(): (error: unknown) => string {
  const { t } = useSpeech();
  return (error) => errorWords(error, t);
}
