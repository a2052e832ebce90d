import type { RequestRow } from "../../lib/contract.ts";

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
  const known = new Set(old.map(({ id }) => id));
  if (fresh.every(({ id }) => known.has(id))) return old;
  const rows = new Map([...old, ...fresh].map((row) => [row.id, row]));
  return [...rows.values()].sort(newestFirst);
}
