import { Deferred, hear } from "../../lib/threads/deferred.ts";

class Waiting<Op, Result> extends Deferred<Result> {
  readonly op: Op;

  constructor(op: Op) {
    super();
    this.op = op;
  }
}

/** A promise is of what needs more time than the rest of its batch, which is not to wait for it. */
type Written<Result> = Result | Promise<Result> | Error;

function tell<Op, Result>(
  batch: readonly Waiting<Op, Result>[],
  results: readonly Written<Result>[],
): void {
  for (let i = 0; i < batch.length; i++) {
    const [waiter, result] = [batch[i] as Waiting<Op, Result>, results[i] as Written<Result>];
    if (result instanceof Error) waiter.failed(result);
    else if (result instanceof Promise) hear(result, waiter);
    else waiter.came(result);
  }
}

/**
 * From this size of a batch on, the next one is given a moment to gather. A batch costs a flush and
 * two crossings of threads whatever its size, so under load fewer and larger ones save most of the
 * cost, while a lone request never waits for company.
 */
const BUSY_BATCH = 4;
const GATHER_MS = 1;

/**
 * Gathers operations while a batch is being written and hands them over together when it is done,
 * so that the disk is flushed once for many requests. At most one batch is on its way, which is
 * also what keeps the order of operations.
 */
export class GroupCommit<Op, Result> {
  readonly #write: (batch: readonly Op[]) => Promise<readonly Written<Result>[]>;
  readonly #batchMax: number;
  #waiting: Waiting<Op, Result>[] = [];
  #busy = false;
  #closed: Error | undefined;
  #idle: (() => void)[] = [];

  constructor(
    write: (batch: readonly Op[]) => Promise<readonly Written<Result>[]>,
    batchMax = 256,
  ) {
    this.#write = write;
    this.#batchMax = batchMax;
  }

  submit(op: Op): Deferred<Result> {
    const waiter = new Waiting<Op, Result>(op);
    if (this.#closed) {
      waiter.failed(this.#closed);
      return waiter;
    }
    this.#waiting.push(waiter);
    if (this.#busy) return waiter;
    this.#busy = true;
    // One turn of the microtask queue: what arrived together is written together.
    queueMicrotask(() => void this.#drain());
    return waiter;
  }

  /** Takes out what has not been handed over yet, and refuses it: nothing of that has happened. */
  withdraw(which: (op: Op) => boolean, reason: Error): void {
    const withdrawn = this.#waiting.filter(({ op }) => which(op));
    if (withdrawn.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !withdrawn.includes(waiter));
    for (const waiter of withdrawn) waiter.failed(reason);
  }

  /** Refuses what comes from now on and what has not been handed over yet. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const waiter of this.#waiting.splice(0)) waiter.failed(reason);
  }

  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchMax);
      try {
        const results = await this.#write(batch.map((waiter) => waiter.op));
        // By then the next batch is on its way: what whoever waits does with it takes long.
        queueMicrotask(() => tell(batch, results));
      } catch (thrown) {
        for (const waiter of batch) waiter.failed(thrown);
      }
      if (batch.length >= BUSY_BATCH) await Bun.sleep(GATHER_MS);
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
