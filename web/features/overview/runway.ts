import { compareDecimals } from "../../lib/decimal.ts";
import type { Overview } from "./contract.ts";

const YEAR_DAYS = 365;
/** From here on somebody should do something about it. */
const SHORT_DAYS = 3;

interface Runway {
  readonly kind: "unknown" | "hours" | "days" | "year";
  readonly count: number;
}

/** How long the balance lasts, as a person says it: whole days, rounded down. */
export function runwayOf(days: number | null): Runway {
  if (days === null) return { kind: "unknown", count: 0 };
  const count = Math.floor(days);
  if (days < 1) return { kind: "hours", count };
  return { kind: days > YEAR_DAYS ? "year" : "days", count };
}

/** Nothing left refuses requests now; little left will soon. */
export function warningOf(
  overview: Pick<Overview, "balance" | "runway_days">,
): "empty" | "short" | undefined {
  if (compareDecimals(overview.balance, "0") <= 0) return "empty";
  const { runway_days: days } = overview;
  return days !== null && days < SHORT_DAYS ? "short" : undefined;
}
