import type { RateSecond } from "../../../admission/rates.ts";
import { steadyClock } from "../../../lib/clock.ts";
import type { BudgetRow } from "../../money/budget-rows.ts";
import type { HoldRow } from "../../money/money-rows.ts";
import type { ScopeRow } from "../../money/scope-book.ts";
import type { BatchRows } from "./batch-rows.ts";
import { type Facts, secondsAfter } from "./facts.ts";
import type { Subjects } from "./subjects.ts";

/**
 * So long after the last word of the database nothing is decided before it is asked: its connection may have died
 * meanwhile. And by so much its clock may be from what was foreseen of it.
 */
export const FORESEEN_MS = 1_000;

/** Where there is more to remember, all is forgotten, and what is needed of it read again. */
const SCOPES_MAX = 4_000;
const HOLDS_MAX = 20_000;

/** One that was wrong costs as much as two that were right save, so it weighs as much. */
const WRONG_WEIGHT = 2;
const DOUBT_MAX = 10;

function copied(seconds: readonly RateSecond[], after: number): RateSecond[] {
  return seconds.filter(({ second }) => second > after).map((each) => ({ ...each }));
}

/** Those of a map that are asked for; undefined where one is missing. */
function picked<T, To>(
  from: ReadonlyMap<string, T>,
  ids: Iterable<string>,
  copy: (value: T) => To,
): Map<string, To> | undefined {
  const found = new Map<string, To>();
  for (const id of ids) {
    const value = from.get(id);
    if (value === undefined) return undefined;
    found.set(id, copy(value));
  }
  return found;
}

/**
 * What this process last read and wrote of the rows of money. A batch can be decided by it before the database is asked, and
 * be sent in one journey with the proof that all is still so. Where others write to the same accounts it is often
 * wrong, which costs a journey instead of saving one: then it waits for some batches, the longer the more often it was.
 */
export class Foresight {
  readonly #foreseenMs: number;
  readonly #scopes = new Map<string, ScopeRow>();
  readonly #budgets = new Map<string, readonly BudgetRow[]>();
  readonly #lastCharges = new Map<string, number>();
  readonly #seconds = new Map<string, readonly RateSecond[]>();
  readonly #openHolds = new Map<string, number>();
  readonly #holds = new Map<string, HoldRow>();
  /** The clock of the database, as it was last heard of, and when that was. */
  #databaseMs = 0;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  /** How often it was wrong, less how often it was right. */
  #doubt = 0;
  #batchesToWait = 0;

  constructor(foreseenMs: number) {
    this.#foreseenMs = foreseenMs;
  }

  /** What a batch will find; undefined where that is not known, or not for sure enough. */
  facts(subjects: Subjects): Facts | undefined {
    const sinceMs = steadyClock() - this.#heardAtMs;
    if (sinceMs > this.#foreseenMs) return undefined;
    if (this.#batchesToWait > 0) {
      this.#batchesToWait -= 1;
      return undefined;
    }
    const { holds, seconds, open_holds } = subjects.loads;
    const nowMs = this.#databaseMs + Math.floor(sinceMs);
    const after = secondsAfter(nowMs);
    const known = {
      scopes: picked(this.#scopes, subjects.scopes, (row) => row),
      budgets: picked(this.#budgets, subjects.scopes, (rows) => [...rows]),
      holds: picked(this.#holds, holds, (row) => row),
      openHolds: picked(this.#openHolds, open_holds, (open) => open),
      seconds: picked(this.#seconds, seconds, (rows) => copied(rows, after)),
    };
    const { scopes, budgets, openHolds } = known;
    if (!scopes || !budgets || !known.holds || !openHolds || !known.seconds) return undefined;
    return {
      nowMs,
      scopes,
      budgets,
      openHolds,
      holds: known.holds,
      seconds: known.seconds,
      // Nobody else has charged them since: the proof would find other sums.
      lastCharges: new Map(this.#chargesOf(budgets)),
      // It is asked about where a clock was set, and whoever foresees does not.
      usedIn: new Map(),
      // A request with an open hold has none, and those of others do not come twice.
      receipts: new Map(),
    };
  }

  *#chargesOf(keys: ReadonlyMap<string, unknown>): Generator<[string, number], void, undefined> {
    for (const id of keys.keys()) {
      const lastMs = this.#lastCharges.get(id);
      if (lastMs !== undefined) yield [id, lastMs];
    }
  }

  /** What a batch has come to that is written. `databaseMs` is what the database said the time was. */
  remember(facts: Facts, rows: BatchRows, databaseMs: number): void {
    this.#databaseMs = databaseMs;
    this.#heardAtMs = steadyClock();
    for (const [id, scope] of facts.scopes) this.#scopes.set(id, scope);
    for (const [id, budgets] of facts.budgets) this.#budgets.set(id, budgets);
    for (const [id, lastMs] of facts.lastCharges) this.#lastCharges.set(id, lastMs);
    for (const [id, seconds] of facts.seconds) this.#seconds.set(id, seconds);
    for (const [id, hold] of facts.holds) this.#holds.set(id, hold);
    for (const hold of rows.opened) {
      this.#holds.set(hold.id, hold);
      this.#count(hold, 1);
    }
    for (const hold of rows.ended) {
      this.#holds.delete(hold.id);
      this.#count(hold, -1);
    }
    // Those that the batch has counted itself.
    for (const [id, open] of facts.openHolds) this.#openHolds.set(id, open);
    if (this.#scopes.size > SCOPES_MAX || this.#holds.size > HOLDS_MAX) this.#forget();
  }

  #count({ key_id }: HoldRow, change: number): void {
    const open = this.#openHolds.get(key_id);
    if (open !== undefined) this.#openHolds.set(key_id, open + change);
  }

  wasRight(): void {
    this.#doubt = Math.max(0, this.#doubt - 1);
  }

  wasWrong(): void {
    this.#doubt = Math.min(DOUBT_MAX, this.#doubt + WRONG_WEIGHT);
    this.#batchesToWait = 2 ** this.#doubt;
  }

  /** The connection was lost: nothing is sent unasked until the database has been heard of again. */
  lost(): void {
    this.#heardAtMs = Number.NEGATIVE_INFINITY;
  }

  #forget(): void {
    const rows = [this.#scopes, this.#budgets, this.#lastCharges, this.#seconds];
    for (const map of [...rows, this.#openHolds, this.#holds]) map.clear();
  }
}
