import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import type { Entry } from "../contract/statement.ts";
import type { ConsoleStore, MoneyEntry, StatementPart } from "../store.ts";

const DAY_MS = 86_400_000;
/** Days of usage that one page looks at: enough for a page, little enough to be quick. */
const PAGE_DAYS = 62;
/** Pages without a single line that are turned before one is given out empty. */
const EMPTY_PAGES_MAX = 4;
/** Usage of a day stands after everything else of that day. */
const USAGE_SEQ = Number.MAX_SAFE_INTEGER;

/**
 * A place between two lines: when and which was the last one, and what the balance was before it.
 * What lies behind it does not change any more, so a page can begin from the balance alone.
 */
interface StatementPosition {
  readonly atMs: number;
  readonly seq: number;
  readonly balance: NanoUsd | undefined;
}

interface Line {
  readonly id: string;
  readonly atMs: number;
  readonly seq: number;
  readonly kind: string;
  readonly amount: NanoUsd;
  readonly note: string;
  readonly ref: string | null;
  /** The UTC day of a line of usage. */
  readonly day: string | undefined;
}

export interface StatementLine extends Line {
  readonly balanceAfter: NanoUsd;
}

export function placeToText({ atMs, seq, balance }: StatementPosition): string {
  return [atMs, seq === USAGE_SEQ ? "u" : seq, balance].join(".");
}

export function readPlace(text: string): StatementPosition | undefined {
  const match = /^(\d{1,15})\.(u|\d{1,15})\.(-?\d{1,20})$/.exec(text);
  if (!match) return undefined;
  const [, at = "", seq = "", balance = ""] = match;
  return {
    atMs: Number(at),
    seq: seq === "u" ? USAGE_SEQ : Number(seq),
    balance: BigInt(balance),
  };
}

function entryLine(entry: MoneyEntry): Line {
  const { seq, kind, amount, note, ref, createdAtMs } = entry;
  return { id: `entry_${seq}`, atMs: createdAtMs, seq, kind, amount, note, ref, day: undefined };
}

function usageLine({ day, cost }: StatementPart["days"][number]): Line {
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  return {
    id: `usage_${text}`,
    atMs: (day + 1) * DAY_MS - 1,
    seq: USAGE_SEQ,
    kind: "usage",
    amount: -cost,
    note: "",
    ref: null,
    day: text,
  };
}

/** Newest first: a day's usage is shown when the day is over, behind its credits. */
function merged(part: StatementPart): Line[] {
  const lines = [...part.entries.map(entryLine), ...part.days.map(usageLine)];
  return lines.toSorted((a, b) => b.atMs - a.atMs || b.seq - a.seq);
}

interface Piece {
  readonly lines: readonly StatementLine[];
  readonly next: StatementPosition | null;
}

/** As many lines of a part as are certain to be in order, and the place behind them. */
export function pieceOf(
  part: StatementPart,
  place: StatementPosition,
  counts: { readonly limit: number; readonly entriesMax: number },
): Piece {
  const { limit, entriesMax } = counts;
  // Beyond what was looked at, lines that were not read may lie between those that were.
  const usageFromMs = part.fromDay === null ? 0 : part.fromDay * DAY_MS;
  const lastEntry = part.entries.length < entriesMax ? undefined : part.entries.at(-1);
  const sureFromMs = Math.max(usageFromMs, lastEntry?.createdAtMs ?? 0);
  const all = merged(part);
  const sure = all.filter((line) => line.atMs >= sureFromMs);
  let balance = place.balance ?? part.funds.credited - part.funds.charged;
  const lines = sure.slice(0, limit).map((line) => {
    const balanceAfter = balance;
    balance -= line.amount;
    return { ...line, balanceAfter };
  });
  const last = lines.at(-1);
  if (sure.length > lines.length && last) {
    return { lines, next: { atMs: last.atMs, seq: last.seq, balance } };
  }
  if (part.fromDay === null && !lastEntry) return { lines, next: null };
  const seq = last?.atMs === sureFromMs ? last.seq : 0;
  return { lines, next: { atMs: sureFromMs, seq, balance } };
}

/** A page of an account's money: credits one by one, what requests cost by the day. */
export async function statementPage(
  store: ConsoleStore,
  accountId: string,
  start: StatementPosition,
  limit: number,
): Promise<Piece | undefined> {
  let place = start;
  const entriesMax = limit + 1;
  for (let page = 1; ; page++) {
    const part = await store.statement({
      accountId,
      before: place,
      entriesMax,
      beforeDay: Math.floor(place.atMs / DAY_MS),
      days: PAGE_DAYS,
    });
    if (!part) return undefined;
    const piece = pieceOf(part, place, { limit, entriesMax });
    if (piece.lines.length > 0 || piece.next === null || page === EMPTY_PAGES_MAX) return piece;
    place = piece.next;
  }
}

/** Before everything: what was dated ahead before a clock was set back is part of the balance too. */
export const NEWEST_PLACE: StatementPosition = {
  atMs: Date.UTC(10_000, 0),
  seq: 0,
  balance: undefined,
};

export function statementLineToJson(line: StatementLine, nowMs: number): Entry {
  return {
    id: line.id,
    created_at: new Date(Math.min(line.atMs, nowMs)).toISOString(),
    kind: line.kind,
    amount: formatUsd(line.amount),
    note: line.note,
    balance_after: formatUsd(line.balanceAfter),
    ref: line.ref,
    ...(line.day === undefined ? {} : { day: line.day }),
  };
}
