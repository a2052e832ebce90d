/**
 * A zone in which it is about noon, so that no day of it turns while a test runs. Another one an hour later: who
 * needs it twice keeps it.
 */
export function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? behind : `+${behind}`}`;
}
