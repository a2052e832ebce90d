/** What the tables of usage add up, in each of them. */
export const SUM_COLUMNS = [
  "requests",
  "failures",
  "fresh",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "output",
  "cost",
] as const;

export function listed(each: (column: (typeof SUM_COLUMNS)[number]) => string): string {
  return SUM_COLUMNS.map(each).join(", ");
}
