/** A day of UTC, or a time that names its zone: what names none would be read in that of the server. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Whether the calendar has it: the 30th of February would be read as a day in March. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** The moment that a text tells, in milliseconds, or nothing where it tells none. */
export function readMoment(text: string): number | undefined {
  const day = MOMENT.exec(text)?.[1];
  const ms = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
