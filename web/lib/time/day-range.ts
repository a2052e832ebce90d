const DAY_MS = 86_400_000;

/** How far a zone's clock is ahead of UTC at an instant. */
function offsetMs(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(ms);
  const at = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const wall = Date.UTC(
    at("year"),
    at("month") - 1,
    at("day"),
    at("hour"),
    at("minute"),
    at("second"),
  );
  return wall - Math.floor(ms / 1000) * 1000;
}

/** The instant at which a calendar day begins in a zone. */
export function startOfDay(day: string, timeZone: string): string | undefined {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return undefined;
  // The offset of the first guess may be that of the other side of a change of the clocks.
  const guess = utc - offsetMs(utc, timeZone);
  return new Date(utc - offsetMs(guess, timeZone)).toISOString();
}

/** The instant at which it is over, which the range does not include. */
export function endOfDay(day: string, timeZone: string): string | undefined {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return undefined;
  return startOfDay(new Date(utc + DAY_MS).toISOString().slice(0, 10), timeZone);
}

interface Days {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Filters as the API wants them: days of the visitor's zone become instants. */
export function withInstants<Filters extends Days>(filters: Filters, timeZone: string) {
  const { from, to } = filters;
  return { ...filters, from: from && startOfDay(from, timeZone), to: to && endOfDay(to, timeZone) };
}
