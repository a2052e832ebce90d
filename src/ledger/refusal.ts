import type { BudgetPeriod } from "../accounts/keys/budget-window.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";

/** Limits that count something else than money: those of a key, and what all requests of its account may hold at once. */
export const RATE_SCOPES = [
  "requests_per_minute",
  "tokens_per_minute",
  "concurrent_requests",
  "bytes_in_flight",
] as const;
export type RateScope = (typeof RATE_SCOPES)[number];

/**
 * Which limit refused a request, in numbers, and what helps. Null is what is not known. Of a rate `used` and
 * `max` are counts, of money they are amounts.
 */
export interface MoneyRefusal {
  readonly scope: "balance" | "budget" | RateScope;
  /** Of a budget. */
  readonly period: BudgetPeriod | null;
  readonly used: NanoUsd | null;
  readonly max: NanoUsd | null;
  readonly left: NanoUsd | null;
  /** The least that the request could have begun with. */
  readonly needed: NanoUsd | null;
  /** What to do about it, in a sentence. */
  readonly fix: string;
  /** When a budget starts anew; a total never does. */
  readonly resetsAtMs: number | null;
}

function isRate(scope: MoneyRefusal["scope"]): boolean {
  return RATE_SCOPES.some((each) => each === scope);
}

/**
 * A refusal as it is told to a key that may not read its account: that the balance does not do and what the request
 * needed, but no figure of the account. What it says of the key's own budgets and rates stays.
 */
export function withoutBalance(refusal: MoneyRefusal): MoneyRefusal {
  return refusal.scope === "balance" ? { ...refusal, used: null, max: null, left: null } : refusal;
}

/** A refusal as receipts show it. */
export function refusalToJson({ scope, period, fix, resetsAtMs, ...amounts }: MoneyRefusal) {
  const write = isRate(scope) ? String : formatUsd;
  const shown = (amount: NanoUsd | null) => (amount === null ? null : write(amount));
  return {
    scope,
    period,
    used: shown(amounts.used),
    max: shown(amounts.max),
    left: shown(amounts.left),
    needed: shown(amounts.needed),
    resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
    fix,
  };
}

/** The same in headers, made of what the receipt shows, so that the two cannot differ. */
function headersOf(refusal: MoneyRefusal): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(refusalToJson(refusal))) {
    if (value !== null) headers[`x-faregate-${name.replaceAll("_", "-")}`] = value;
  }
  return headers;
}

interface MoneyFaultOptions {
  /** Its facts as the client may know them, where that is less than the receipt keeps. */
  readonly told?: MoneyRefusal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal for money. Its facts go to the client in headers and onto the receipt. */
export class MoneyFault extends Fault {
  readonly refusal: MoneyRefusal;

  constructor(
    fault: "budget_exceeded" | "budget_busy",
    message: string,
    refusal: MoneyRefusal,
    { told = refusal, headers = {} }: MoneyFaultOptions = {},
  ) {
    super(fault, message, { headers: { ...headers, ...headersOf(told) } });
    this.refusal = refusal;
  }
}

/** A refusal by a rate. Clients read it in headers of their own; the receipt keeps its facts. */
export class RateFault extends Fault {
  readonly refusal: MoneyRefusal;

  constructor(message: string, refusal: MoneyRefusal, headers: Readonly<Record<string, string>>) {
    super("rate_limit_exceeded", message, { headers });
    this.refusal = refusal;
  }
}

/** What a fault tells about a limit; null for any other. */
export function refusalOf(fault: Fault): MoneyRefusal | null {
  return fault instanceof MoneyFault || fault instanceof RateFault ? fault.refusal : null;
}
