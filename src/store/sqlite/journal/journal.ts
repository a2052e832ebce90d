import type { Database } from "bun:sqlite";
import type { RateSecond } from "../../../admission/rates.ts";
import { type Clock, hasCome } from "../../../lib/clock.ts";
import { type BudgetRow, readBudget, timeWith, turned, turnsTo } from "../../money/budget-rows.ts";
import type { OrphanRow } from "../../money/interrupted.ts";
import { setFlushing } from "../database.ts";
import { JournalApplier } from "./apply-journal.ts";
import type { JournalMark } from "./journal-mark.ts";
import { type JournalStatements, prepareJournal, usedIn } from "./journal-statements.ts";

/**
 * Rows follow when so many records have gathered, or after so long: sums, their triggers and the last page of each tree
 * are written once for all of them.
 */
const APPLY_RECORDS = 1_024;
const APPLY_MS = 250;
/** How soon it is tried again when the disk would not take the rows. */
const APPLY_AGAIN_MS = 1_000;

/** Two pages and more of the file. */
const PROOF = "proof ".repeat(2_000);

const RATE_SECONDS_KEPT = 120;
const RATE_SWEEP_MS = 60_000;

/** The account and the key of a book that is open. */
export type BookName = readonly [accountId: string, keyId: string];

/** What the file says of a key, with all that was journaled until now; its budgets are in the windows of now. */
export interface KeyState {
  readonly keyId: string;
  readonly credited: bigint;
  readonly charged: bigint;
  readonly used: bigint;
  readonly budgets: readonly BudgetRow[];
}

/** What a key did in a second. */
export type KeyRate = readonly [keyId: string, second: RateSecond];

/**
 * The file's half of the books, in the thread that writes it. A group of records is on disk when its commit
 * has returned; the rows that follow from it, and whatever else only a power cut could take, need no flush:
 * the records are there until the rows are.
 */
export class Journal {
  readonly #db: Database;
  readonly #sql: JournalStatements;
  readonly #applier: JournalApplier;
  readonly #owner: string;
  readonly #clock: Clock;
  readonly #mark: JournalMark | undefined;
  /** The number of the last line that was written. */
  #lastLine = 0;
  /** Records that this thread has written: those that are no rows yet, and those that are. */
  #waiting = 0;
  #applied = 0;
  #timer: Timer | undefined;
  #sweptAtMs = 0;
  #version = 0;

  constructor(db: Database, owner: string, clock: Clock, mark?: JournalMark) {
    // What a trial or a statement would put back: else a file is made for it each time, and taken away.
    db.run("pragma temp_store = memory");
    this.#db = db;
    this.#sql = prepareJournal(db);
    this.#applier = new JournalApplier(db, this.#sql);
    this.#owner = owner;
    this.#clock = clock;
    this.#mark = mark;
    this.#lastLine = this.#sql.lastLine.get()?.last ?? 0;
  }

  /** Lines of records, on disk when it returns; how many of all until now have become rows. */
  append(lines: string): number {
    let number = this.#lastLine;
    const rows = lines.split("\n").map((record) => [++number, record]);
    this.#transaction(() => this.#sql.lines.insert(rows));
    this.#lastLine = number;
    this.#mark?.write(number);
    this.#waiting += rows.length;
    // Never before it has answered: somebody waits for that.
    if (this.#waiting >= APPLY_RECORDS) this.#applyIn(0);
    else if (!this.#timer) this.#applyIn(APPLY_MS);
    return this.#applied;
  }

  #applyIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        this.settleUp([]);
      } catch {
        this.#applyIn(APPLY_AGAIN_MS);
      }
    }, ms);
  }

  /**
   * Brings all records into the rows, and writes the holds that have no row yet or hold more than it says. How
   * many records have become rows by then.
   */
  settleUp(holds: readonly OrphanRow[]): number {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === 0 && holds.length === 0) return this.#applied;
    this.#unflushed(() => {
      this.#applier.apply(this.#clock());
      for (const hold of holds) this.#putHold(hold);
    });
    this.#applied += this.#waiting;
    this.#waiting = 0;
    return this.#applied;
  }

  /** One that has ended meanwhile stays ended. */
  #putHold(hold: OrphanRow): void {
    const { id, account_id, key_id, amount } = hold;
    if (this.#sql.isResolved.get(id)) return;
    const before = this.#applier.holds.get(id)?.amount;
    const cells = [hold.input_cost, hold.model, hold.endpoint, hold.channel] as const;
    const times = [Number(hold.stream), Number(hold.created_at)] as const;
    this.#sql.putHold.run(id, account_id, key_id, this.#owner, amount, ...cells, ...times);
    const runs = amount > 0n && !before ? 1n : 0n;
    for (const scopeId of [account_id, key_id]) {
      this.#sql.moveScope.run(0n, amount - (before ?? 0n), runs, scopeId);
    }
    this.#applier.holds.set(id, { id, account_id, key_id, amount });
  }

  /** Holds that have a row: of a process that is gone, where this one has just begun. */
  keptHolds(): OrphanRow[] {
    return this.#sql.holds.all();
  }

  /** Which of these requests have not ended. One of a key that a power cut took was never let in. */
  stillOpen(requests: readonly (readonly [id: string, ...name: BookName])[]): string[] {
    const isKey = this.#db.query("select 1 from scopes where id = ? and account_id = ?");
    return requests
      .filter(([id, accountId, keyId]) => {
        return isKey.get(keyId, accountId) && !this.#sql.isResolved.get(id);
      })
      .map(([id]) => id);
  }

  keyStates(names: readonly BookName[], nowMs = this.#clock()): KeyState[] {
    this.settleUp([]);
    const scope = this.#db
      .query<{ max: bigint | null; used: bigint }, [string]>(
        "select max, used from scopes where id = ?",
      )
      .safeIntegers(true);
    return names.flatMap(([accountId, keyId]) => {
      const [balance, key] = [scope.get(accountId), scope.get(keyId)];
      if (!balance || !key) return [];
      const budgets = this.#budgetsAt(nowMs, keyId, key.used);
      const credited = balance.max ?? 0n;
      return [{ keyId, credited, charged: balance.used, used: key.used, budgets }];
    });
  }

  /** As their rows will stand when something is posted. */
  #budgetsAt(nowMs: number, keyId: string, used: bigint): readonly BudgetRow[] {
    const rows = this.#sql.budgets.all(keyId).map(readBudget);
    const atMs = timeWith(rows, nowMs);
    return rows.map((row) => {
      const window = turnsTo(row, atMs);
      return window ? turned(row, window, used, usedIn(this.#sql, keyId, window)) : row;
    });
  }

  /** What was credited to an account in all; undefined where there is none. */
  creditedTo(accountId: string): bigint | undefined {
    const text = "select max from scopes where id = ? and kind = 'balance'";
    const row = this.#db.query<{ max: bigint }, [string]>(text).safeIntegers(true).get(accountId);
    return row?.max;
  }

  writeRates(rates: readonly KeyRate[]): void {
    const nowMs = this.#clock();
    const sweeps = hasCome(this.#sweptAtMs + RATE_SWEEP_MS, nowMs, RATE_SWEEP_MS);
    this.#unflushed(() => {
      for (const [keyId, { second, requests, tokens }] of rates) {
        this.#sql.writeRateSecond.run(keyId, second, requests, tokens);
      }
      if (sweeps) this.#sql.forgetRateSeconds.run(Math.floor(nowMs / 1000) - RATE_SECONDS_KEPT);
    });
    if (sweeps) this.#sweptAtMs = nowMs;
  }

  /** Whether anybody but this thread has written to the file since this was asked last. */
  changedByOthers(): boolean {
    const row = this.#db.query("pragma data_version").get() as { data_version: number };
    const changed = row.data_version !== this.#version;
    if (changed) this.#applier.readAgain();
    this.#version = row.data_version;
    return changed;
  }

  /** Puts a record on disk that nobody needs: as large as they come, so that the next one finds its place too. */
  prove(): void {
    this.#transaction(() => {
      const number = this.#lastLine + 1;
      this.#sql.lines.insert([[number, PROOF]]);
      this.#sql.takeOut.run(number);
    });
  }

  /** What is still in the journal when this fails is there at the next start. */
  end(): void {
    try {
      this.settleUp([]);
    } catch {
      // The disk, or another who writes for longer than anybody waits.
    }
    clearTimeout(this.#timer);
  }

  #unflushed(work: () => void): void {
    setFlushing(this.#db, "NORMAL");
    try {
      this.#transaction(work);
    } finally {
      // At rest every commit flushes, whoever makes it.
      setFlushing(this.#db, "FULL");
    }
  }

  #transaction(work: () => void): void {
    this.#sql.begin.run();
    try {
      work();
      this.#sql.commit.run();
    } catch (thrown) {
      if (this.#db.inTransaction) this.#sql.rollback.run();
      this.#applier.readAgain();
      throw thrown;
    }
  }

  /** Brings in what an earlier process left. Before anything else is asked. */
  begin(): void {
    this.#unflushed(() => {
      this.#applier.apply(this.#clock());
      this.#noteLost();
    });
    this.#mark?.write(this.#lastLine);
  }

  /** Lines that were on disk once and are not any more: the log was cut, or the file is an older one. */
  #noteLost(): void {
    const told = this.#mark?.read() ?? 0;
    if (told <= this.#lastLine) return;
    this.#sql.noteGap.run(this.#lastLine + 1, told, this.#clock());
    this.#sql.goOnAnyway.run(told);
    this.#lastLine = told;
  }
}
