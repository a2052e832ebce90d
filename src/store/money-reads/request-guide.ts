import type { RequestFilter } from "../../console/store.ts";
import { idTime } from "../../lib/ids.ts";
import type { Integer } from "../keys/key-rows.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { type MoneyReader, type ReadStatement, readRows, statement } from "./reader.ts";
import type { GuideHour, IdSpan } from "./request-spans.ts";
import { StatementParameters } from "./statement-parameters.ts";
import { conditionsOf } from "./usage.ts";

const HOURS_PER_DAY = 24;

/** Where a search finds what it looks for. */
export interface Guide {
  readonly hours: readonly GuideHour[];
  /** Nothing between this hour and the first of the guide fits; null when there is nothing before. */
  readonly fromHour: number | null;
}

interface GuideLimits {
  /** Days that are looked through for those that have something. */
  readonly guideDays: number;
  /** Days with something of which the hours are told. */
  readonly daysMax: number;
  /** What is still looked for, by which days are left out that are not needed. */
  readonly wanted: number;
}

/** Sums tell failures, of which a search looks for one kind: so many of them may be enough. */
const FAILURES_PER_WANTED = 4;
/** The last few are not looked for one by one. */
const FAILURES_MIN = 100;

/** How many of what the sums count it may take to find so many. */
export function countedFor({ status }: RequestFilter, wanted: number): number {
  if (status !== "error" && status !== "refused") return wanted;
  return Math.max(wanted * FAILURES_PER_WANTED, FAILURES_MIN);
}

const ENDS_SQL = `select
  (select max(hour) from usage_hours where account_id = $1 and hour >= $2 and hour <= $3) as newest,
  (select min(hour) from usage_hours where account_id = $1 and hour >= $2 and hour <= $3) as oldest`;

/** How many requests of a row of sums fit. */
function countOf({ status }: RequestFilter): string {
  if (status === undefined) return "requests";
  return status === "ok" ? "requests - failures" : "failures";
}

function daysSql(filter: RequestFilter, first: number, last: number, limit: number): ReadStatement {
  const parameters = new StatementParameters();
  return statement(
    `select day, cast(matched as text) as matched from (
       select day, sum(${countOf(filter)}) as matched from usage_days
       where ${conditionsOf(filter, parameters)} and day >= ${parameters.add(first)}
         and day <= ${parameters.add(last)}
       group by day) days
     where matched > 0 order by day desc limit ${parameters.add(limit)}`,
    ...parameters.params,
  );
}

interface DayRow {
  readonly day: Integer;
  readonly matched: string;
}

/** The newest days that have enough. Of the first, a part may lie behind what is looked at. */
function neededDays(rows: readonly DayRow[], enough: number): number[] {
  let matched = 0;
  const last = rows.findIndex((row, i) => {
    if (i > 0) matched += Number(row.matched);
    return matched >= enough;
  });
  const needed = last === -1 ? rows : rows.slice(0, last + 1);
  return needed.map(({ day }) => Number(day));
}

/** The hours of some days: what fits in each, and what there is in all. */
function hoursSql(filter: RequestFilter, days: readonly number[]): ReadStatement {
  const parameters = new StatementParameters();
  const conditions = conditionsOf(filter, parameters);
  const parts = days.map((day) => {
    const from = parameters.add(day * HOURS_PER_DAY);
    const to = parameters.add((day + 1) * HOURS_PER_DAY);
    return `select account_id, hour, ${countOf(filter)} as matched from rollups
      where ${conditions} and hour >= ${from} and hour < ${to}`;
  });
  return statement(
    `select h.hour, h.matched, u.requests as total from (
       select account_id, hour, sum(matched) as matched from (${parts.join(" union all ")}) parts
       group by account_id, hour) h
     join usage_hours u on u.account_id = h.account_id and u.hour = h.hour
     where h.matched > 0 order by h.hour desc`,
    ...parameters.params,
  );
}

/** What is rare is found by the sums that are kept by day and by hour, not among the requests. */
export async function readGuide(
  reader: MoneyReader,
  filter: RequestFilter,
  within: IdSpan,
  limits: GuideLimits,
): Promise<Guide> {
  const fromHour = Math.floor((idTime(within.low) ?? 0) / HOUR_MS);
  // A request at the end of an hour may be counted in the next.
  const toHour = Math.floor((idTime(within.high) ?? Number.MAX_SAFE_INTEGER) / HOUR_MS) + 1;
  const [ends] = await readRows<Record<"newest" | "oldest", Integer | null>>(
    reader,
    statement(ENDS_SQL, filter.accountId, fromHour, toHour),
  );
  if (!ends || ends.newest === null) return { hours: [], fromHour: null };
  const oldest = Number(ends.oldest);
  const lastDay = Math.floor(Number(ends.newest) / HOURS_PER_DAY);
  const firstDay = Math.max(Math.floor(oldest / HOURS_PER_DAY), lastDay - limits.guideDays);
  const rows = await readRows<DayRow>(reader, daysSql(filter, firstDay, lastDay, limits.daysMax));
  const days = neededDays(rows, countedFor(filter, limits.wanted));
  const all = days.length === rows.length && rows.length < limits.daysMax;
  const reached = all ? firstDay : (days.at(-1) ?? firstDay);
  return {
    hours: await hoursOf(reader, filter, days, { fromHour, toHour }),
    fromHour: reached * HOURS_PER_DAY <= oldest ? null : reached * HOURS_PER_DAY,
  };
}

async function hoursOf(
  reader: MoneyReader,
  filter: RequestFilter,
  days: readonly number[],
  range: { readonly fromHour: number; readonly toHour: number },
): Promise<readonly GuideHour[]> {
  if (days.length === 0) return [];
  const rows = await readRows<Record<"hour" | "total" | "matched", Integer>>(
    reader,
    hoursSql(filter, days),
  );
  return rows
    .map(({ hour, total, matched }) => ({
      hour: Number(hour),
      total: Number(total),
      matched: Number(matched),
    }))
    .filter(({ hour }) => range.fromHour <= hour && hour <= range.toHour);
}
