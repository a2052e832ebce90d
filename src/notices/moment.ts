/** The parts of a moment in a zone, by their names, on a clock of 24 hours. */
function partsIn(timeZone: string, atMs: number): Readonly<Record<string, string>> {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "shortOffset",
  });
  return Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
}

function momentOf(timeZone: string, atMs: number): string {
  const { year, month, day, hour, minute, timeZoneName } = partsIn(timeZone, atMs);
  const zone = timeZone === "UTC" ? "UTC" : `${timeZone} (${timeZoneName})`;
  return `${year}-${month}-${day} ${hour}:${minute} ${zone}`;
}

/**
 * Writes moments for a reader: "2026-12-01 08:00 Asia/Shanghai (GMT+8)". A zone that nobody chose, or
 * that this system does not know, is UTC: "2026-12-01 00:00 UTC".
 */
export function momentsIn(timeZone: string | null): (atMs: number) => string {
  return (atMs) => {
    try {
      return momentOf(timeZone ?? "UTC", atMs);
    } catch {
      return momentOf("UTC", atMs);
    }
  };
}
