import type { AdmissionRequest } from "../../../admission/request.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Operation, OperationResult } from "../../money/operations.ts";
import { type Connections, isLockTimeout, isOutage } from "../connections.ts";
import { FORESEEN_MS } from "./foresight.ts";
import { accountOf, LockedAccounts } from "./locked-accounts.ts";
import { MoneyTransactions } from "./transactions.ts";

/** How long an account is waited for by itself: longer than another process has it for a batch of its own. */
const LOCK_LOOK_MS = 20;

function cancellation({ requestId, accountId, keyId }: AdmissionRequest): Operation {
  return { kind: "cancel", requestId, accountId, keyId };
}

/** What became of an operation: a promise where its account is waited for. */
type Written = OperationResult | Promise<OperationResult> | Error;

/**
 * Writes batches of operations, each batch one transaction. Where something else has locked rows for too long each
 * account is written by itself, so that only those wait whose rows they are.
 */
export class MoneyWriter {
  /** Admissions reported as failed whose commit may yet have happened. */
  #doubtful: Operation[] = [];
  readonly #locked: LockedAccounts;
  readonly #transactions: MoneyTransactions;

  constructor(
    connections: Connections,
    owner: string,
    lockedAccountMs: number,
    foreseenMs = FORESEEN_MS,
  ) {
    const onDoubt = (operations: readonly Operation[]) => this.#doubt(operations);
    this.#transactions = new MoneyTransactions(connections, owner, foreseenMs, onDoubt);
    this.#locked = new LockedAccounts((ops) => this.#writeAccount(ops), lockedAccountMs);
  }

  /** One result per operation, in order. An operation that fails takes no other with it. */
  async write(operations: readonly Operation[]): Promise<Written[]> {
    const written = await this.#writeAll(operations);
    if (this.#transactions.hasLost) {
      for (const [i, op] of operations.entries()) this.#end(op, written[i] as Written);
    }
    return written;
  }

  #end(op: Operation, result: Written): void {
    const end = (later: OperationResult | Error) => this.#transactions.end(op, later);
    if (result instanceof Promise) void result.then(end, end);
    else end(result);
  }

  async #writeAll(operations: readonly Operation[]): Promise<Written[]> {
    if (this.#locked.isEmpty) return this.#writeBatch(operations);
    const behind = new Map<Operation, Written>();
    for (const op of operations) if (this.#locked.has(op)) behind.set(op, this.#locked.wait(op));
    const others = operations.filter((op) => !behind.has(op));
    const written = others.length > 0 ? await this.#writeBatch(others) : [];
    return operations.map((op) => behind.get(op) ?? (written.shift() as Written));
  }

  /** The end of a request that waits for an account that is locked is not to be written. */
  withdraw(requestId: string, reason: Error): void {
    this.#locked.withdraw(requestId, reason);
  }

  /** Resolves when nothing waits for an account that is locked, and what is in doubt is taken back where it can be. */
  async settled(): Promise<void> {
    await this.#locked.settled();
    // Where the database is away, whoever recovers what is left ends those holds too.
    await this.settleDoubts().catch(() => {});
    await this.#locked.settled();
  }

  async #writeBatch(operations: readonly Operation[]): Promise<Written[]> {
    try {
      await this.settleDoubts();
      return await this.#transactions.run(operations);
    } catch (thrown) {
      if (isLockTimeout(thrown)) return this.#writeByAccount(operations);
      return this.#writeApart(operations, thrown, (op) => this.#writeBatch([op]));
    }
  }

  /** Each by itself, after they have failed together. */
  async #writeApart<Result>(
    operations: readonly Operation[],
    thrown: unknown,
    write: (op: Operation) => Promise<readonly Result[]>,
  ): Promise<(Result | Error)[]> {
    // A database that is away is not asked again for each operation.
    if (operations.length === 1 || isOutage(thrown)) {
      return operations.map(() => StorageError.from(thrown));
    }
    const results: (Result | Error)[] = [];
    for (const op of operations) results.push(...(await write(op)));
    return results;
  }

  /** Those whose account is locked wait for it, and nobody else does. */
  async #writeByAccount(operations: readonly Operation[]): Promise<Written[]> {
    const written = new Map<Operation, Written>();
    const accounts = [...Map.groupBy(operations, accountOf).values()];
    for (const ops of accounts) {
      // Where there is but one, it is known to be locked.
      const results = accounts.length === 1 ? undefined : await this.#writeUnlocked(ops);
      ops.forEach((op, i) => {
        written.set(op, results ? (results[i] as Written) : this.#locked.wait(op));
      });
    }
    return operations.map((op) => written.get(op) as Written);
  }

  /** Undefined where the account of these operations is locked. */
  async #writeUnlocked(
    operations: readonly Operation[],
  ): Promise<(OperationResult | Error)[] | undefined> {
    try {
      return await this.#writeAccount(operations);
    } catch {
      return undefined;
    }
  }

  /** Operations of one account. Throws where it is locked, and then nothing of it has happened. */
  async #writeAccount(operations: readonly Operation[]): Promise<(OperationResult | Error)[]> {
    try {
      return await this.#transactions.run(operations, LOCK_LOOK_MS);
    } catch (thrown) {
      if (isLockTimeout(thrown)) throw thrown;
      return this.#writeApart(operations, thrown, async (op) => {
        const results = await this.#writeUnlocked([op]);
        return results ?? [StorageError.from(thrown)];
      });
    }
  }

  /**
   * Takes back the holds of admissions that were reported as failed, if there are any: nobody else may end them. A batch
   * may be on its way meanwhile, since money has one connection, by which one goes after the other.
   */
  async settleDoubts(): Promise<void> {
    if (this.#doubtful.length === 0) return;
    const doubtful = this.#doubtful.splice(0);
    try {
      await this.#transactions.run(doubtful);
    } catch (thrown) {
      if (!isLockTimeout(thrown)) {
        this.#doubtful.push(...doubtful);
        throw thrown;
      }
      const written = await this.#writeByAccount(doubtful);
      doubtful.forEach((op, i) => {
        // What could not be undone remains to be.
        void Promise.resolve(written[i]).then(
          (result) => result instanceof Error && this.#doubtful.push(op),
          () => this.#doubtful.push(op),
        );
      });
    }
  }

  #doubt(operations: readonly Operation[]): void {
    for (const op of operations) {
      if (op.kind === "admit") this.#doubtful.push(cancellation(op.request));
    }
  }
}
