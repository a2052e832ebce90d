import { steadyClock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import type { Operation, OperationResult } from "../money/operations.ts";
import { AT } from "../rows.ts";

/** How often is looked whether an account can be had again: at first, and at most. */
const LOOK_FIRST_MS = 50;
const LOOK_MAX_MS = 250;
/** As many as a batch has. */
const TRIED_MAX = 256;

export function accountOf(op: Operation): string {
  switch (op.kind) {
    case "admit":
    case "raise":
      return op.request.accountId;
    case "cancel":
      return op.accountId;
    case "settle":
    case "refuse":
      return op.row[AT.accountId];
  }
}

interface Waiting {
  readonly op: Operation;
  readonly giveUpAtMs: number;
  readonly resolve: (result: OperationResult) => void;
  readonly reject: (thrown: Error) => void;
}

/**
 * Operations of accounts whose rows somebody else has locked: an operator at a prompt, a report that
 * takes its time. They wait here, in order and by account, and keep nobody else waiting. What waits for
 * too long fails; nothing of it has happened, so whoever must have it asks again.
 */
export class LockedAccounts {
  readonly #again: (ops: readonly Operation[]) => Promise<readonly (OperationResult | Error)[]>;
  readonly #waitMs: number;
  readonly #lines = new Map<string, Waiting[]>();
  #looking: Promise<void> | undefined;

  /** `again` writes operations of one account, and throws while it is locked. */
  constructor(
    again: (ops: readonly Operation[]) => Promise<readonly (OperationResult | Error)[]>,
    waitMs: number,
  ) {
    this.#again = again;
    this.#waitMs = waitMs;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  has(op: Operation): boolean {
    return this.#lines.has(accountOf(op));
  }

  /** Resolves when it has been written, behind all others of its account. */
  wait(op: Operation): Promise<OperationResult> {
    const { promise, resolve, reject } = Promise.withResolvers<OperationResult>();
    // It may fail before those of its batch that do not wait have been told.
    promise.catch(() => {});
    const waiting = { op, giveUpAtMs: steadyClock() + this.#waitMs, resolve, reject };
    const line = this.#lines.get(accountOf(op));
    if (line) line.push(waiting);
    else this.#lines.set(accountOf(op), [waiting]);
    this.#looking ??= this.#look();
    return promise;
  }

  /** Resolves when nobody waits any more. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  async #look(): Promise<void> {
    let pauseMs = LOOK_FIRST_MS;
    while (!this.isEmpty) {
      await Bun.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LOOK_MAX_MS);
      for (const [accountId, line] of [...this.#lines]) {
        await this.#try(line);
        if (line.length === 0) this.#lines.delete(accountId);
      }
    }
    this.#looking = undefined;
  }

  async #try(line: Waiting[]): Promise<void> {
    dismissLate(line);
    const tried = line.slice(0, TRIED_MAX);
    if (tried.length === 0) return;
    try {
      const results = await this.#again(tried.map(({ op }) => op));
      line.splice(0, tried.length);
      tried.forEach(({ resolve, reject }, i) => {
        const result = results[i] as OperationResult | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch {
      // Still locked.
    }
  }
}

function dismissLate(line: Waiting[]): void {
  const nowMs = steadyClock();
  for (const waiting of line.splice(0)) {
    if (waiting.giveUpAtMs > nowMs) line.push(waiting);
    else waiting.reject(new StorageError("something else has locked the rows of this account"));
  }
}
