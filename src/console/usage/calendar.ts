import type { HourRange } from "../store.ts";

const HOUR_MS = 3_600_000;

/** A day of a zone, as hours since 1970 in UTC. */
export interface CalendarDay extends HourRange {
  /** `2026-11-15` */
  readonly day: string;
}

/** Midnight, as the nearest full hour; the earlier one of two that are as near. */
function firstHour(date: Temporal.PlainDate, timeZone: string): number {
  return Math.ceil(date.toZonedDateTime(timeZone).epochMilliseconds / HOUR_MS - 0.5);
}

/**
 * Days of a zone, made of the whole hours in which usage is kept. Where a zone is half an hour or a
 * quarter off, its days begin at the full hour that is nearest to midnight, at most thirty minutes
 * from it.
 */
export class Calendar {
  readonly timeZone: string;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** The day in which the hour of a moment is counted. */
  dayOf(atMs: number): string {
    const hour = Math.floor(atMs / HOUR_MS);
    const middle = Temporal.Instant.fromEpochMilliseconds((hour + 0.5) * HOUR_MS);
    const day = middle.toZonedDateTimeISO(this.timeZone).toPlainDate();
    // Where clocks go back over midnight, an hour of the old day comes after the new one began.
    const next = day.add({ days: 1 });
    return (firstHour(next, this.timeZone) <= hour ? next : day).toString();
  }

  /** Every day from the first to the last. */
  days(first: string, last: string): CalendarDay[] {
    const days: CalendarDay[] = [];
    let date = Temporal.PlainDate.from(first);
    const end = Temporal.PlainDate.from(last);
    let fromHour = firstHour(date, this.timeZone);
    while (Temporal.PlainDate.compare(date, end) <= 0) {
      const next = date.add({ days: 1 });
      const toHour = firstHour(next, this.timeZone);
      days.push({ day: date.toString(), fromHour, toHour });
      date = next;
      fromHour = toHour;
    }
    return days;
  }
}

/** From the beginning of the first day to the end of the last. There is at least one. */
export function rangeOf(days: readonly CalendarDay[]): HourRange {
  return { fromHour: days[0]?.fromHour ?? 0, toHour: days.at(-1)?.toHour ?? 0 };
}

/** Puts each row to the day of its hour; rows come in the order of hours. Empty days are there too. */
export function byDay<Row extends { readonly hour: number }>(
  days: readonly CalendarDay[],
  rows: readonly Row[],
): { readonly day: string; readonly rows: readonly Row[] }[] {
  let at = rows.findIndex(({ hour }) => hour >= (days[0]?.fromHour ?? 0));
  if (at === -1) at = rows.length;
  return days.map(({ day, toHour }) => {
    const start = at;
    while (at < rows.length && (rows[at]?.hour ?? 0) < toHour) at += 1;
    return { day, rows: rows.slice(start, at) };
  });
}

export function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}
