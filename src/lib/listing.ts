/** Which part of a list is asked for: so many, behind the one that `after` names. */
export interface PageQuery {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The body of a list whose rows come as they are shown. */
export function shownList<Shown>(data: readonly Shown[], next: string | null = null) {
  return { object: "list" as const, data, next };
}

/**
 * The body of a list. `rows` has one more than the limit where there is a next page, and that row is
 * not shown; `cursor` names the last that is.
 */
export function listBody<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  cursor: (row: Row) => string,
  show: (row: Row) => Shown,
): { object: "list"; data: Shown[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? cursor(last) : null;
  return { object: "list", data: shown.map(show), next };
}
