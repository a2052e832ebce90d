/** A budget counts over one of these; a total never starts anew. */
export const BUDGET_PERIODS = ["total", "day", "week", "month"] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];
type RepeatingPeriod = Exclude<BudgetPeriod, "total">;

/** From `startMs` until just before `endMs`. */
export interface BudgetWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** No name in the database of time zones comes near. */
const NAME_CHARS_MAX = 64;

/** The IANA name of a zone, spelled as it is kept. Undefined for what is none, such as an offset. */
export function zoneName(name: string): string | undefined {
  if (name.length > NAME_CHARS_MAX || !/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

/** The first day of the period that a day lies in. Weeks begin on Mondays. */
function firstDay(period: RepeatingPeriod, day: Temporal.PlainDate): Temporal.PlainDate {
  if (period === "day") return day;
  if (period === "week") return day.subtract({ days: day.dayOfWeek - 1 });
  return day.with({ day: 1 });
}

const STEPS = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 } } as const;

/**
 * The day, week or month in which a moment lies, as the calendar of the zone has it: a day may have
 * 23 or 25 hours, and may begin at one o'clock.
 */
export function windowOf(period: RepeatingPeriod, timeZone: string, atMs: number): BudgetWindow {
  const boundary = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  let first = firstDay(period, at.toPlainDate());
  let next = first.add(STEPS[period]);
  // Where clocks were set back over midnight, an hour of the old day came after the new one began.
  while (boundary(next) <= atMs) {
    first = next;
    next = first.add(STEPS[period]);
  }
  return { startMs: boundary(first), endMs: boundary(next) };
}
