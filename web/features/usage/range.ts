import { lastDays } from "../../lib/format.ts";

export const RANGES = ["7", "30", "90", "365", "month", "custom"] as const;
type Range = (typeof RANGES)[number];

const RANGE_DEFAULT: Range = "30";

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

interface RangeChoice {
  readonly range: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function rangeOf({ range }: Pick<RangeChoice, "range">): Range {
  return RANGES.find((known) => known === range) ?? RANGE_DEFAULT;
}

/** The days, both included, that a choice in the address means now. */
export function daysOf(choice: RangeChoice, nowMs: number, timeZone: string): DayRange {
  const range = rangeOf(choice);
  const today = lastDays(1, nowMs, timeZone)[0] ?? "";
  if (range === "month") return { from: `${today.slice(0, 8)}01`, to: today };
  if (range !== "custom") {
    return { from: lastDays(Number(range), nowMs, timeZone)[0] ?? today, to: today };
  }
  const to = choice.to ?? today;
  return { from: choice.from ?? lastDays(Number(RANGE_DEFAULT), nowMs, timeZone)[0] ?? to, to };
}
