import type { BudgetWindow } from "../../../accounts/keys/budget-window.ts";
import { type RateSecond, WINDOW_SECONDS } from "../../../admission/rates.ts";
import type { NanoUsd } from "../../../catalogue/money.ts";
import {
  type BudgetCells,
  type BudgetRow,
  readBudget,
  timeWith,
  turnsTo,
} from "../../money/budget-rows.ts";
import { rowAsRead } from "../../money/interrupted.ts";
import type { HoldRow } from "../../money/money-rows.ts";
import type { ScopeRow } from "../../money/scope-book.ts";
import type { Cell, ReceiptColumn, ReceiptRow } from "../../rows.ts";
import type { Load } from "./money-sql.ts";
import type { Subjects } from "./subjects.ts";

/**
 * What a batch knows of the rows that it is about, be it read or foreseen. It is the batch's own and follows what it
 * writes, so that it stands at the end as the database does.
 */
export interface Facts {
  readonly nowMs: number;
  readonly scopes: Map<string, ScopeRow>;
  /** Of each account and key that was asked for. Accounts have none. */
  readonly budgets: Map<string, BudgetRow[]>;
  /** When keys with budgets were last charged; those that never were are missing. */
  readonly lastCharges: Map<string, number>;
  /** What was used in windows that begin before that, by `windowName`. Only whoever asks knows. */
  readonly usedIn: Map<string, NanoUsd>;
  readonly holds: Map<string, HoldRow>;
  /** Of each key that was asked for, as are those of the next. */
  readonly openHolds: Map<string, number>;
  readonly seconds: Map<string, RateSecond[]>;
  /** By id, those that are there; with their cells where they may be replaced. */
  readonly receipts: Map<string, ReceiptRow | undefined>;
}

/** The row of `loadSql`; lists are JSON, null when empty and missing where nothing was asked for. */
export interface LoadedRow extends Readonly<Partial<Record<Load, string | null>>> {
  readonly now_ms: bigint;
  readonly xid: string;
}

/** Its id, and its cells where it may be replaced. */
type ReceiptOfBefore = [string, Readonly<Record<ReceiptColumn, Cell>> | null];

type BudgetOfKey = BudgetCells & { readonly key_id: string; readonly last_charge: number | null };

function list<T>(text: string | null | undefined): T[] {
  return text ? (JSON.parse(text) as T[]) : [];
}

/** A value for each, where so far nobody has one. */
function eachOf<T>(ids: Iterable<string>, make: () => T): Map<string, T> {
  const values = new Map<string, T>();
  for (const id of ids) values.set(id, make());
  return values;
}

function holdsOf(loaded: LoadedRow): Facts["holds"] {
  const cells = list<[string, string, string, string]>(loaded.holds);
  return new Map(
    cells.map(([id, account_id, key_id, amount]) => [
      id,
      { id, account_id, key_id, amount: BigInt(amount) },
    ]),
  );
}

function receiptsOf(loaded: LoadedRow): Facts["receipts"] {
  const found = list<ReceiptOfBefore>(loaded.receipts);
  return new Map(found.map(([id, cells]) => [id, cells ? rowAsRead(cells) : undefined]));
}

/** What was read for a batch, once it had its locks. */
export function readFacts(
  subjects: Subjects,
  scopes: readonly ScopeRow[],
  loaded: LoadedRow,
): Facts {
  const budgets = eachOf(subjects.scopes, (): BudgetRow[] => []);
  const lastCharges = new Map<string, number>();
  for (const cells of list<BudgetOfKey>(loaded.budgets)) {
    budgets.get(cells.key_id)?.push(readBudget(cells));
    if (cells.last_charge !== null) lastCharges.set(cells.key_id, cells.last_charge);
  }
  const openHolds = eachOf(subjects.loads.open_holds, () => 0);
  for (const [keyId, open] of list<[string, number]>(loaded.open_holds)) openHolds.set(keyId, open);
  const seconds = eachOf(subjects.loads.seconds, (): RateSecond[] => []);
  for (const [keyId, ...cells] of list<[string, number, number, number]>(loaded.seconds)) {
    const [second, requests, tokens] = cells;
    seconds.get(keyId)?.push({ second, requests, tokens });
  }
  return {
    nowMs: Number(loaded.now_ms),
    scopes: new Map(scopes.map((scope) => [scope.id, scope])),
    budgets,
    lastCharges,
    usedIn: new Map(),
    holds: holdsOf(loaded),
    openHolds,
    seconds,
    receipts: receiptsOf(loaded),
  };
}

export function windowName(keyId: string, { startMs, endMs }: BudgetWindow): string {
  return `${keyId} ${startMs} ${endMs}`;
}

/** A window that a budget turns to, as the database is asked about it. */
interface Turning {
  readonly name: string;
  readonly key_id: string;
  readonly window_start: number;
  readonly resets_at: number;
}

/** What it says of one. */
export interface UsedRow {
  readonly name: string;
  readonly used: string;
}

/** Whether a key may have been charged in a window: it is so only where a clock was set. */
export function mayHaveUsed(
  { lastCharges }: Pick<Facts, "lastCharges">,
  keyId: string,
  { startMs }: BudgetWindow,
): boolean {
  return startMs <= (lastCharges.get(keyId) ?? Number.NEGATIVE_INFINITY);
}

/** The windows that budgets turn to with this batch, and of which the database has to be asked. */
export function turnings(facts: Facts): Turning[] {
  const all = [...facts.budgets].flatMap(([keyId, rows]) => {
    const atMs = timeWith(rows, facts.nowMs);
    return rows.flatMap((row) => {
      const window = turnsTo(row, atMs);
      if (!window || !mayHaveUsed(facts, keyId, window)) return [];
      const times = { window_start: window.startMs, resets_at: window.endMs };
      return [{ name: windowName(keyId, window), key_id: keyId, ...times }];
    });
  });
  return [...new Map(all.map((turning) => [turning.name, turning])).values()];
}

/** The last second that is too old for a window at this time. */
export function secondsAfter(nowMs: number): number {
  return Math.floor(nowMs / 1000) - WINDOW_SECONDS - 1;
}
