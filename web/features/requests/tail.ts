import type { RequestRow } from "../../../src/console/contract/requests.ts";

function newestFirst(a: RequestRow, b: RequestRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/**
 * Both lists as one, the newest first. A row that comes again replaces the one that was there; the
 * same list is given back where nothing changes, so that the page is not drawn for nothing.
 */
export function mergeRows(
  fresh: readonly RequestRow[],
  old: readonly RequestRow[],
): readonly RequestRow[] {
  const known = new Map(old.map(({ id, requests }) => [id, requests]));
  // What refusals share grows while they come.
  if (fresh.every(({ id, requests }) => known.get(id) === requests)) return old;
  const rows = new Map([...old, ...fresh].map((row) => [row.id, row]));
  return [...rows.values()].sort(newestFirst);
}
