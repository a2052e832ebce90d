import type { Database } from "bun:sqlite";
import type { Clock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import { interruption } from "../money/interrupted.ts";
import { MoneyBatch } from "../money/money-batch.ts";
import type { Operation, OperationResult } from "../money/operations.ts";
import { setFlushing } from "./database.ts";
import { type MoneyStatements, prepareMoney } from "./money-statements.ts";
import { StatementRows } from "./statement-rows.ts";

const RATE_SECONDS_KEPT = 120;
const RATE_SWEEP_MS = 60_000;

/**
 * Only a power cut asks for a flush; what is written survives the death of the process without one.
 * A hold that a power cut takes away belonged to a request that died with it, unsettled: had it been
 * settled, that flush would have covered the hold too.
 */
function needsFlush(op: Operation): boolean {
  return op.kind !== "admit" && op.kind !== "raise";
}

/** Writes batches of operations, each batch one transaction and at most one flush of the disk. */
export class MoneyWriter {
  readonly #db: Database;
  readonly #sql: MoneyStatements;
  readonly #rows: StatementRows;
  readonly #owner: string;
  readonly #clock: Clock;
  #sweptAtMs = 0;

  constructor(db: Database, owner: string, clock: Clock) {
    this.#db = db;
    this.#sql = prepareMoney(db);
    this.#rows = new StatementRows(this.#sql);
    this.#owner = owner;
    this.#clock = clock;
  }

  /** One result per operation, in order. An operation that fails takes no other with it. */
  write(operations: readonly Operation[]): (OperationResult | Error)[] {
    if (operations.some(needsFlush)) return this.#writeBatch(operations);
    setFlushing(this.#db, "NORMAL");
    try {
      return this.#writeBatch(operations);
    } finally {
      // At rest every commit flushes, whoever makes it.
      setFlushing(this.#db, "FULL");
    }
  }

  #writeBatch(operations: readonly Operation[]): (OperationResult | Error)[] {
    try {
      this.#sql.begin.run();
    } catch (thrown) {
      // Nobody can write now: asking again for each operation would multiply the waiting.
      return operations.map(() => StorageError.from(thrown));
    }
    try {
      return this.#finishTransaction(operations);
    } catch (thrown) {
      if (operations.length === 1) return [StorageError.from(thrown)];
      return operations.flatMap((op) => this.#writeBatch([op]));
    }
  }

  /** Answers when the thread and the file do. */
  ping(): void {
    this.#sql.begin.run();
    this.#sql.rollback.run();
  }

  /** Voids the holds of every other owner: this process has the file to itself, so they are dead. */
  recover(): number {
    const orphans = this.#sql.orphans.all(this.#owner);
    const results = this.write(orphans.map((hold) => interruption(hold, this.#clock())));
    const failure = results.find((result) => result instanceof Error);
    if (failure) throw failure;
    return orphans.length;
  }

  #finishTransaction(operations: readonly Operation[]): OperationResult[] {
    const nowMs = this.#clock();
    try {
      const results = new MoneyBatch(this.#rows, this.#owner, nowMs).run(operations);
      this.#sweepRates(nowMs);
      this.#sql.commit.run();
      return results;
    } catch (thrown) {
      this.#sql.rollback.run();
      throw thrown;
    }
  }

  #sweepRates(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < RATE_SWEEP_MS) return;
    this.#sweptAtMs = nowMs;
    this.#sql.forgetRateSeconds.run(Math.floor(nowMs / 1000) - RATE_SECONDS_KEPT);
  }
}
