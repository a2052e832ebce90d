import { idFloor } from "../../lib/ids.ts";
import { LEAD_MS, SLACK_MS } from "../reads/astray.ts";
import { HOUR_MS } from "../reads/rollups.ts";

const PREFIX = "req_";

/** Ids from `low` to before `high`. */
export interface IdSpan {
  readonly low: string;
  readonly high: string;
}

/** An hour in which something that is looked for happened. */
export interface GuideHour {
  readonly hour: number;
  /** Requests of the account in it: what a search has to look at. */
  readonly total: number;
  readonly matched: number;
}

export function requestIdAt(ms: number): string {
  return idFloor(PREFIX, Math.floor(ms));
}

/** Before the ids of all requests since a moment that are not astray. */
export function requestIdBefore(ms: number): string {
  return requestIdAt(ms - SLACK_MS);
}

/** Behind the ids of all requests before a moment that are not astray. */
export function requestIdBehind(ms: number): string {
  return requestIdAt(ms + LEAD_MS);
}

function min(a: string, b: string): string {
  return a < b ? a : b;
}

function max(a: string, b: string): string {
  return a > b ? a : b;
}

/** Hours without anything are looked at too where they are as cheap as a span of its own. */
const GAP_ROWS_MAX = 300;

/** What lies between two hours, guessed by what they have themselves. */
function gapRows(newer: GuideHour, older: GuideHour): number {
  return (newer.hour - older.hour - 1) * Math.max(newer.total, older.total);
}

/**
 * The ids among which the newest `wanted` are, in as few spans as it takes: from hours that have
 * what is looked for, the newest first, until there is enough of it or more than `rowsMax` would
 * have to be looked at. The first hour is always part.
 */
export function spansOf(
  hours: readonly GuideHour[],
  within: IdSpan,
  counts: { readonly wanted: number; readonly rowsMax: number },
): { readonly spans: readonly IdSpan[]; readonly used: number; readonly rows: number } {
  const spans: IdSpan[] = [];
  let rows = 0;
  let matched = 0;
  let used = 0;
  let newer: GuideHour | undefined;
  for (const at of hours) {
    const gap = newer ? gapRows(newer, at) : 0;
    const joined = gap <= GAP_ROWS_MAX;
    const more = at.total + (joined ? gap : 0);
    if (rows > 0 && (matched >= counts.wanted || rows + more > counts.rowsMax)) break;
    used += 1;
    const low = max(requestIdBefore(at.hour * HOUR_MS), within.low);
    const high = min(requestIdBehind((at.hour + 1) * HOUR_MS), within.high);
    if (low >= high) continue;
    rows += more;
    matched += at.matched;
    newer = at;
    const last = spans.at(-1);
    if (last && joined) spans[spans.length - 1] = { low, high: last.high };
    else spans.push({ low, high });
  }
  return { spans, used, rows };
}
