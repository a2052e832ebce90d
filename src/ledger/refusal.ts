import type { BudgetPeriod } from "../accounts/budget-window.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";

/** Which limit of money refused a request, in numbers, and what helps. Null is what is not known. */
export interface Refusal {
  readonly scope: "balance" | "budget";
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

function usdOrNull(amount: NanoUsd | null): string | null {
  return amount === null ? null : formatUsd(amount);
}

/** A refusal as receipts show it. */
export function refusalToWire({ scope, period, fix, resetsAtMs, ...amounts }: Refusal) {
  return {
    scope,
    period,
    used: usdOrNull(amounts.used),
    max: usdOrNull(amounts.max),
    left: usdOrNull(amounts.left),
    needed: usdOrNull(amounts.needed),
    resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
    fix,
  };
}

/** The same in headers, made of what the receipt shows, so that the two cannot differ. */
function headersOf(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(refusalToWire(refusal))) {
    if (value !== null) headers[`x-faregate-${name.replaceAll("_", "-")}`] = value;
  }
  return headers;
}

/** A refusal for money. Its facts go to the client in headers and onto the receipt. */
export class MoneyFault extends Fault {
  readonly refusal: Refusal;

  constructor(
    fault: "budget_exceeded" | "budget_busy",
    message: string,
    refusal: Refusal,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(fault, message, { headers: { ...headers, ...headersOf(refusal) } });
    this.refusal = refusal;
  }
}

/** What a fault tells about money; null for any other. */
export function refusalOf(fault: Fault): Refusal | null {
  return fault instanceof MoneyFault ? fault.refusal : null;
}
