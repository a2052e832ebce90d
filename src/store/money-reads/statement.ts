import type { MoneyEntry, StatementPart, StatementQuery } from "../../console/store.ts";
import type { Integer } from "../keys/key-rows.ts";
import { type MoneyReader, statement } from "./reader.ts";
import { FUNDS_SQL, type FundsRow, readFunds } from "./usage.ts";

const HOURS_PER_DAY = 24;

/** Kinds of entries that take from what was credited. */
const TAKES = new Set(["refund", "reversal"]);

interface EntryRow {
  readonly seq: Integer;
  readonly kind: string;
  readonly amount: string;
  readonly note: string | null;
  readonly ref: string | null;
  readonly created_at: Integer;
}

function readEntry(row: EntryRow): MoneyEntry {
  const amount = BigInt(row.amount);
  return {
    seq: Number(row.seq),
    kind: row.kind,
    amount: TAKES.has(row.kind) && amount > 0n ? -amount : amount,
    note: row.note ?? "",
    ref: row.ref,
    createdAtMs: Number(row.created_at),
  };
}

/**
 * What is not the end of a request, and moves money: a debit that was given up does not. The condition has that of the index
 * in it, to the letter.
 */
const ENTRIES_SQL = `select seq, kind, cast(amount as text) as amount, note, ref, created_at
  from entries
  where account_id = $1 and kind <> 'post' and kind <> 'void' and kind <> 'correction'
    and amount > 0 and created_at <= $2 and (created_at < $2 or seq < $3)
  order by created_at desc, seq desc limit $4`;

const DAYS_SQL = `select hour, cast(cost as text) as cost from usage_hours
  where account_id = $1 and hour < $2 and hour >= (
    select max(hour) - $3 from usage_hours where account_id = $1 and hour < $2)
  order by hour desc`;

const FIRST_HOUR_SQL = "select min(hour) as hour from usage_hours where account_id = $1";

/** The sums of hours as sums of UTC days, those that cost something. */
function daysOf(hours: readonly { hour: Integer; cost: string }[]): StatementPart["days"] {
  const days = new Map<number, bigint>();
  for (const { hour, cost } of hours) {
    const day = Math.floor(Number(hour) / HOURS_PER_DAY);
    days.set(day, (days.get(day) ?? 0n) + BigInt(cost));
  }
  return [...days].filter(([, cost]) => cost > 0n).map(([day, cost]) => ({ day, cost }));
}

/** The first day that was looked at in full; the one before may have been cut. */
function firstDay(
  hours: readonly { hour: Integer }[],
  days: number,
  oldestHour: Integer | null | undefined,
): number | null {
  const [newest] = hours;
  if (!newest) return null;
  const first = Math.floor(Number(newest.hour) / HOURS_PER_DAY) - days + 1;
  return Number(oldestHour ?? 0) < first * HOURS_PER_DAY ? first : null;
}

export async function readStatement(
  reader: MoneyReader,
  query: StatementQuery,
): Promise<StatementPart | undefined> {
  const { accountId, before, entriesMax, beforeDay } = query;
  const [funds = [], entries = [], hours = [], oldest = []] = await reader.read([
    statement(`${FUNDS_SQL} where s.id = $1 and s.kind = 'balance'`, accountId),
    statement(ENTRIES_SQL, accountId, before.atMs, before.seq, entriesMax),
    statement(DAYS_SQL, accountId, beforeDay * HOURS_PER_DAY, query.days * HOURS_PER_DAY),
    statement(FIRST_HOUR_SQL, accountId),
  ]);
  const [row] = funds as readonly FundsRow[];
  if (!row) return undefined;
  const read = hours as readonly { hour: Integer; cost: string }[];
  const [first] = oldest as readonly { hour: Integer | null }[];
  const fromDay = firstDay(read, query.days, first?.hour);
  return {
    funds: readFunds(row),
    entries: (entries as readonly EntryRow[]).map(readEntry),
    days: daysOf(read).filter(({ day }) => fromDay === null || day >= fromDay),
    fromDay,
  };
}
