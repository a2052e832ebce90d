import type { Order } from "../../../src/payments/contract/orders.ts";
import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals, toUnits } from "../../lib/decimal.ts";
import { formatLeft, formatMoney } from "../../lib/format.ts";
import { readAmount } from "../../lib/forms/amount.ts";

/** A choice of the payer: a provider, and the method within it where it has several. */
export interface Way {
  readonly id: "stripe" | "alipay" | "wxpay" | "test";
  readonly provider: Order["provider"];
  readonly method?: string;
}

const WAYS: readonly Way[] = [
  { id: "stripe", provider: "stripe" },
  { id: "alipay", provider: "epay", method: "alipay" },
  { id: "wxpay", provider: "epay", method: "wxpay" },
  { id: "test", provider: "test" },
];

/** A code is redeemed and not paid, so it is no way. */
export function waysOf(providers: readonly string[]): readonly Way[] {
  return WAYS.filter(({ provider }) => providers.includes(provider));
}

export const PRESETS = ["10", "25", "50", "100"] as const;
const ORDER_MIN = "1";
const ORDER_MAX = "10000";
const CENT = 10n ** 16n;
const UNIT = 10n ** 18n;

interface Checked {
  readonly amount?: string;
  readonly error?: string;
}

/** An amount as it was typed, or what is wrong with it. The bounds are those of the server. */
export function checkAmount(
  typed: string,
  t: Translate,
  locale: string,
  { min = ORDER_MIN, max = ORDER_MAX }: { readonly min?: string; readonly max?: string } = {},
): Checked {
  if (typed.trim() === "") return { error: t("errors.required") };
  const amount = readAmount(typed);
  if (amount === undefined) return { error: t("errors.amount") };
  if (compareDecimals(amount, min) < 0) {
    return { error: t("wallet.amountMin", { amount: formatMoney(min, locale) }) };
  }
  if (compareDecimals(amount, max) > 0) {
    return { error: t("wallet.amountMax", { amount: formatLeft(max, locale) }) };
  }
  if (toUnits(amount) % CENT !== 0n) return { error: t("wallet.amountCents") };
  return { amount };
}

const MINOR_SCALE = UNIT * CENT;

function minorToDecimal(minor: bigint): string {
  return `${minor / 100n}.${(minor % 100n).toString().padStart(2, "0")}`;
}

/** Dollars in another currency, in hundredths and rounded up, as the payer is asked for them. */
export function convertUp(amount: string, rate: string): string {
  return minorToDecimal((toUnits(amount) * toUnits(rate) + MINOR_SCALE - 1n) / MINOR_SCALE);
}

/** The same rounded down, as somebody is told what they have. */
export function convertDown(amount: string, rate: string): string {
  return minorToDecimal((toUnits(amount) * toUnits(rate)) / MINOR_SCALE);
}

/** Whether money of another kind or amount has come than is credited for it. Nobody pays for a test. */
export function isPaidOtherwise(
  order: Pick<Order, "amount" | "payment_amount" | "payment_currency" | "paid_at" | "test">,
): boolean {
  if (order.test || order.paid_at === null) return false;
  return (
    order.payment_currency !== "USD" || compareDecimals(order.payment_amount, order.amount) !== 0
  );
}

/** An amount of any currency. */
export function formatCurrency(amount: string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).format(amount as `${number}`);
}
