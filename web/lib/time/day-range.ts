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
  const [before, after] = [offsetMs(utc - DAY_MS, timeZone), offsetMs(utc + DAY_MS, timeZone)];
  const midnights = [utc - before, utc - after].filter((at) => at + offsetMs(at, timeZone) === utc);
  // Where clocks are put forward over midnight nobody sees it: the day begins when those of before would show it.
  const begins = midnights.length > 0 ? Math.min(...midnights) : utc - before;
  return new Date(begins).toISOString();
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
