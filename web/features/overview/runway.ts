import type { Overview } from "../../../src/console/contract/overview.ts";
import { compareDecimals } from "../../lib/decimal.ts";

const YEAR_DAYS = 365;
/** From here on somebody should do something about it. */
const SHORT_DAYS = 3;

/** How long the balance lasts, as a person says it: whole days, rounded down. */
export function runwayOf(overview: Pick<Overview, "balance" | "runway_days">) {
  const { balance, runway_days: days } = overview;
  if (days === null || compareDecimals(balance, "0") <= 0) return undefined;
  const kind = days < 1 ? "hours" : days > YEAR_DAYS ? "year" : "days";
  return { kind, count: Math.floor(days) } as const;
}

/** What an account has, as the overview and the wallet tell it. */
export interface Funds extends Pick<Overview, "balance" | "credited"> {
  readonly runway_days?: number | null;
}

/** A debt or nothing left refuses requests now; little left will soon. */
export function warningOf(funds: Funds): "below" | "none" | "empty" | "short" | undefined {
  const sign = compareDecimals(funds.balance, "0");
  if (sign < 0) return "below";
  if (sign === 0) return compareDecimals(funds.credited, "0") > 0 ? "empty" : "none";
  const { runway_days: days = null } = funds;
  return days !== null && days < SHORT_DAYS ? "short" : undefined;
}
