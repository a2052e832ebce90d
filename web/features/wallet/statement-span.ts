/** What people ask a statement of. */
export const SPANS = ["all", "month", "last_month", "year", "last_year"] as const;
type Span = (typeof SPANS)[number];

interface Days {
  readonly from?: string;
  readonly to?: string;
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** The days of a span, in UTC as the statement's are. */
export function spanDays(span: Span, nowMs: number): Days {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const days: Readonly<Record<Span, Days>> = {
    all: {},
    month: { from: dayOf(year, month, 1) },
    last_month: { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) },
    year: { from: dayOf(year, 0, 1) },
    last_year: { from: dayOf(year - 1, 0, 1), to: dayOf(year, 0, 0) },
  };
  return days[span];
}
