/** A day of UTC, or a time that names its zone: what names none would be read in that of the server. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The moment that a text tells, in milliseconds, or nothing where it tells none. */
export function readMoment(text: string): number | undefined {
  const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
