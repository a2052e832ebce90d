import type { CreatedBatch, NewBatch } from "../../../src/payments/contract/codes.ts";
import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { endOfDay } from "../../lib/time/day-range.ts";

export const EMPTY_BATCH = { count: "10", amount: "", expires_at: "", note: "" };

/** What the dialog holds, as it was typed; it expires after a calendar day, or not. */
type BatchValues = Readonly<typeof EMPTY_BATCH>;

const COUNT_MAX = 10_000;
const AMOUNT_MIN = "0.01";
const AMOUNT_MAX = "10000";

export function countOf(typed: string): number | undefined {
  const text = typed.trim();
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= COUNT_MAX ? count : undefined;
}

function amountOf(typed: string): string | undefined {
  const amount = readAmount(typed);
  if (amount === undefined) return undefined;
  const fits = compareDecimals(amount, AMOUNT_MIN) >= 0 && compareDecimals(amount, AMOUNT_MAX) <= 0;
  return fits ? amount : undefined;
}

export function checkBatch(
  values: BatchValues,
  today: string,
  t: Translate,
): Partial<Record<keyof BatchValues, string>> {
  return {
    ...(countOf(values.count) === undefined && { count: t("codes.countError") }),
    ...(amountOf(values.amount) === undefined && { amount: t("codes.amountError") }),
    ...(values.expires_at !== "" &&
      values.expires_at < today && { expires_at: t("codes.expiresError") }),
  };
}

export function bodyOf(values: BatchValues, timeZone: string): NewBatch {
  return {
    count: countOf(values.count) ?? 0,
    amount: amountOf(values.amount) ?? "",
    expires_at: endOfDay(values.expires_at, timeZone) ?? null,
    note: values.note.trim(),
  };
}

/** What all codes together are worth, or nothing while the form does not say. */
export function totalOf(values: BatchValues): string | undefined {
  const count = countOf(values.count);
  const amount = amountOf(values.amount);
  if (count === undefined || amount === undefined) return undefined;
  const [whole = "0", fraction = ""] = amount.split(".");
  const units = (BigInt(`${whole}${fraction}`) * BigInt(count)).toString();
  if (fraction === "") return units;
  const digits = units.padStart(fraction.length + 1, "0");
  return `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}

/** The codes as a file. Its cells are codes, amounts and times of ours and need no quoting. */
export function csvOf({ codes, amount, expires_at }: CreatedBatch): string {
  const rows = codes.map((code) => [code, amount, expires_at ?? ""]);
  return [["code", "amount_usd", "expires_at"], ...rows]
    .map((row) => `${row.join(",")}\r\n`)
    .join("");
}
