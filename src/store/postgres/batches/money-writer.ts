import type { AdmissionRequest } from "../../../admission/request.ts";
import { StorageError } from "../../../lib/faults.ts";
import { MoneyBatch } from "../../money/money-batch.ts";
import type { Operation, OperationResult } from "../../money/operations.ts";
import type { ScopeRow } from "../../money/scope-book.ts";
import { AT, type ReceiptRow } from "../../rows.ts";
import {
  type Connections,
  isDisconnection,
  isLockTimeout,
  isOutage,
  type Statement,
} from "../connections.ts";
import { BatchRows, jsonParam, type LoadedRow } from "./batch-rows.ts";
import { hasCommitted } from "./commit-fate.ts";
import { accountOf, LockedAccounts } from "./locked-accounts.ts";
import { LOCK_SQL, type Load, loadSql } from "./money-sql.ts";

/** How long an account is waited for by itself: longer than another process has it for a batch of its own. */
const LOCK_LOOK_MS = 20;

/** What the texts of a batch are asked for, gathered from its operations. */
interface Subjects {
  /** Accounts and keys. Whoever ends or raises a hold names those that it was taken from. */
  readonly scopes: Set<string>;
  readonly loads: Readonly<Record<Exclude<Load, "budgets">, Set<string>>>;
}

function addScopes({ scopes }: Subjects, accountId: string, keyId: string): void {
  scopes.add(accountId);
  scopes.add(keyId);
}

function addAdmission(subjects: Subjects, request: AdmissionRequest): void {
  const { accountId, keyId, limits } = request;
  addScopes(subjects, accountId, keyId);
  const { seconds, open_holds } = subjects.loads;
  if (limits.requestsPerMinute > 0 || limits.tokensPerMinute > 0) seconds.add(keyId);
  if (limits.concurrency > 0) open_holds.add(keyId);
}

function addReceipt(subjects: Subjects, row: ReceiptRow): void {
  addScopes(subjects, row[AT.accountId], row[AT.keyId]);
  subjects.loads.receipts.add(row[AT.id]);
}

function subjectsOf(operations: readonly Operation[]): Subjects {
  const loads: Subjects["loads"] = {
    holds: new Set(),
    seconds: new Set(),
    open_holds: new Set(),
    receipts: new Set(),
  };
  const subjects: Subjects = { scopes: new Set(), loads };
  for (const op of operations) {
    switch (op.kind) {
      case "admit":
        addAdmission(subjects, op.request);
        break;
      case "raise":
        addScopes(subjects, op.request.accountId, op.request.keyId);
        loads.holds.add(op.request.requestId);
        loads.receipts.add(op.request.requestId);
        break;
      case "cancel":
        addScopes(subjects, op.accountId, op.keyId);
        loads.holds.add(op.requestId);
        break;
      case "settle":
        addReceipt(subjects, op.row);
        loads.holds.add(op.row[AT.id]);
        if (op.tokensBeyondEstimate > 0) loads.seconds.add(op.row[AT.keyId]);
        break;
      case "refuse":
        addReceipt(subjects, op.row);
        if (op.count.requests > 0) loads.seconds.add(op.row[AT.keyId]);
        break;
    }
  }
  return subjects;
}

/** What those return who lock the rows of a batch and read them. */
type Found = readonly [readonly ScopeRow[], readonly LoadedRow[]];

function cancellation({ requestId, accountId, keyId }: AdmissionRequest): Operation {
  return { kind: "cancel", requestId, accountId, keyId };
}

/** What became of an operation: a promise where its account is waited for. */
type Written = OperationResult | Promise<OperationResult> | Error;

/**
 * Writes batches of operations, each batch one transaction of three statements in two journeys. Where
 * something else has locked rows for too long each account is written by itself, so that only those wait
 * whose rows they are.
 */
export class MoneyWriter {
  readonly #connections: Connections;
  readonly #owner: string;
  /** Admissions reported as failed whose commit may yet have happened. */
  #doubtful: Operation[] = [];
  readonly #locked: LockedAccounts;

  constructor(connections: Connections, owner: string, lockedAccountMs: number) {
    this.#connections = connections;
    this.#owner = owner;
    this.#locked = new LockedAccounts((ops) => this.#writeAccount(ops), lockedAccountMs);
  }

  /** One result per operation, in order. An operation that fails takes no other with it. */
  async write(operations: readonly Operation[]): Promise<Written[]> {
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
      return await this.#transaction(operations);
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
      return await this.#transaction(operations, { lockMs: LOCK_LOOK_MS });
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
      await this.#transaction(doubtful);
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

  async #transaction(
    operations: readonly Operation[],
    { lockMs, again = true }: { lockMs?: number; again?: boolean } = {},
  ): Promise<OperationResult[]> {
    let results: OperationResult[] | undefined;
    let xid = "";
    try {
      const asked = reads(subjectsOf(operations));
      await this.#connections.moneyTransaction(
        asked,
        ([scopes, [loaded]]: Found) => {
          if (!loaded) throw new Error("the database returned no row");
          const rows = new BatchRows(scopes, loaded);
          const decided = new MoneyBatch(rows, this.#owner, Number(loaded.now_ms)).run(operations);
          xid = loaded.xid;
          results = decided;
          return rows.writing();
        },
        lockMs,
      );
    } catch (thrown) {
      // The connection may have died while nobody used it; nothing has been committed on it.
      if (!results && again && isDisconnection(thrown)) {
        return this.#transaction(operations, { ...(lockMs && { lockMs }), again: false });
      }
      // With results there, all that was left to do was sent, and its answer may have been lost.
      if (!results || !isOutage(thrown) || !(await this.#isWritten(xid, operations, results))) {
        throw thrown;
      }
    }
    return results as OperationResult[];
  }

  /** Whether a batch whose answer was lost is known to be written. Notes what to undo where nobody can say. */
  async #isWritten(
    xid: string,
    operations: readonly Operation[],
    results: readonly OperationResult[],
  ): Promise<boolean> {
    const committed = await hasCommitted(this.#connections.read, { xid, operations, results });
    if (committed !== undefined) return committed;
    for (const op of operations) {
      if (op.kind === "admit") this.#doubtful.push(cancellation(op.request));
    }
    return false;
  }
}

/** What locks the rows of a batch and reads them. */
function reads(subjects: Subjects): Statement[] {
  const keys = jsonParam([...subjects.scopes]);
  const parts: Load[] = ["budgets"];
  const params = [keys];
  for (const [part, ids] of Object.entries(subjects.loads)) {
    if (ids.size === 0) continue;
    parts.push(part as Load);
    params.push(jsonParam([...ids]));
  }
  return [
    { text: LOCK_SQL, params: [keys] },
    { text: loadSql(parts), params },
  ];
}
