import type { Overview } from "../../../src/console/contract/overview.ts";
import { compareDecimals } from "../../lib/decimal.ts";

const YEAR_DAYS = 365;
/** From here on somebody should do something about it. */
const SHORT_DAYS = 3;

interface Runway {
  readonly kind: "hours" | "days" | "year";
  readonly count: number;
}

/** How long the balance lasts, as a person says it: whole days, rounded down. */
export function runwayOf({
  balance,
  runway_days: days,
}: Pick<Overview, "balance" | "runway_days">): Runway | undefined {
  if (days === null || compareDecimals(balance, "0") <= 0) return undefined;
  const count = Math.floor(days);
  if (days < 1) return { kind: "hours", count };
  return { kind: days > YEAR_DAYS ? "year" : "days", count };
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
