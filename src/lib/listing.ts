import { Fault } from "./faults.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const CURSOR_CHARS_MAX = 200;

/** Which part of a list is asked for: so many, behind the one that `after` names. */
export interface PageQuery {
  readonly after: string | undefined;
  readonly limit: number;
}

/** `?after=…&limit=…` of a list of the console. */
export function readPage(url: URL): PageQuery {
  const after = url.searchParams.get("after") || undefined;
  if (after !== undefined && after.length > CURSOR_CHARS_MAX) {
    throw new Fault("invalid_value", "This is not the cursor of a page.", { param: "after" });
  }
  const text = url.searchParams.get("limit") || String(LIMIT_DEFAULT);
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > LIMIT_MAX) {
    throw new Fault("invalid_value", `The limit must be a whole number from 1 to ${LIMIT_MAX}.`, {
      param: "limit",
    });
  }
  return { after, limit };
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
