import { steadyClock } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import { isEndOf, type Operation, type OperationResult } from "../../money/operations.ts";
import { AT } from "../../rows.ts";

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
  /** Why nobody wants it any more. */
  withdrawn?: Error;
}

/** Those who wait for an account, in order. */
interface Line {
  readonly waiting: Waiting[];
  /** How many of them, from the first on, are being written at the moment. */
  tried: number;
  /** It has been written to: who comes now need not stand behind those who are left. */
  isFree: boolean;
}

type Again = (ops: readonly Operation[]) => Promise<readonly (OperationResult | Error)[]>;

/**
 * Operations of accounts whose rows somebody else has locked: an operator at a prompt, a report that
 * takes its time. They wait here, in order and by account, and keep nobody else waiting. What waits for
 * too long fails; nothing of it has happened, so whoever must have it asks again.
 */
export class LockedAccounts {
  readonly #again: Again;
  readonly #waitMs: number;
  readonly #lines = new Map<string, Line>();
  #looking: Promise<void> | undefined;

  /** `again` writes operations of one account, and throws while it is locked. */
  constructor(again: Again, waitMs: number) {
    this.#again = again;
    this.#waitMs = waitMs;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Whether those of its account wait, so that it has to stand behind them. */
  has(op: Operation): boolean {
    return this.#lines.get(accountOf(op))?.isFree === false;
  }

  /** Resolves when it has been written, behind all others of its account. */
  wait(op: Operation): Promise<OperationResult> {
    const { promise, resolve, reject } = Promise.withResolvers<OperationResult>();
    // It may fail before those of its batch that do not wait have been told.
    promise.catch(() => {});
    const waiting = { op, giveUpAtMs: steadyClock() + this.#waitMs, resolve, reject };
    const line = this.#lines.get(accountOf(op));
    if (line) line.waiting.push(waiting);
    else this.#lines.set(accountOf(op), { waiting: [waiting], tried: 0, isFree: false });
    this.#looking ??= this.#look();
    return promise;
  }

  /** Refuses the end of a request that waits here; one that is being written already, only if it cannot be. */
  withdraw(requestId: string, reason: Error): void {
    for (const line of this.#lines.values()) {
      for (const each of line.waiting) if (isEndOf(each.op, requestId)) each.withdrawn = reason;
      dismissWithdrawn(line);
    }
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
        dismissLate(line);
        await this.#write(line);
        if (line.waiting.length === 0) this.#lines.delete(accountId);
      }
    }
    this.#looking = undefined;
  }

  /**
   * All of a line, or as much of it as can be until the account is locked again. Under load somebody comes while
   * others are written: were they to stand behind those, the line would never end, and all go by its pauses.
   */
  async #write(line: Line): Promise<void> {
    while (line.waiting.length > 0) {
      await this.#try(line);
      if (!line.isFree) return;
    }
  }

  async #try(line: Line): Promise<void> {
    const tried = line.waiting.slice(0, TRIED_MAX);
    line.tried = tried.length;
    try {
      const results = await this.#again(tried.map(({ op }) => op));
      line.isFree = true;
      line.waiting.splice(0, tried.length);
      tried.forEach(({ resolve, reject }, i) => {
        const result = results[i] as OperationResult | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch {
      line.isFree = false;
    } finally {
      line.tried = 0;
    }
    dismissWithdrawn(line);
  }
}

function dismissWithdrawn({ waiting, tried }: Line): void {
  for (const each of waiting.splice(tried)) {
    if (each.withdrawn) each.reject(each.withdrawn);
    else waiting.push(each);
  }
}

function dismissLate({ waiting }: Line): void {
  const nowMs = steadyClock();
  for (const each of waiting.splice(0)) {
    if (each.giveUpAtMs > nowMs) waiting.push(each);
    else each.reject(new StorageError("something else has locked the rows of this account"));
  }
}
