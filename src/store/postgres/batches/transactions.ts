import { steadyClock } from "../../../lib/clock.ts";
import { MoneyBatch } from "../../money/money-batch.ts";
import { isAdmitted, type Operation, type OperationResult } from "../../money/operations.ts";
import type { ScopeRow } from "../../money/scope-book.ts";
import {
  type Ask,
  type Connections,
  isDisconnection,
  isLockTimeout,
  isOutage,
  NOW_MS_SQL,
  type Statement,
} from "../connections.ts";
import { BatchRows, jsonParam } from "./batch-rows.ts";
import { DOUBT_MS, DOUBT_POLL_MS, hasCommitted } from "./commit-fate.ts";
import { type Facts, type LoadedRow, readFacts, turnings, type UsedRow } from "./facts.ts";
import { Foresight } from "./foresight.ts";
import { LOCK_SQL, type Load, loadSql, USED_IN_WINDOWS_SQL } from "./money-sql.ts";
import { proofOf } from "./proof.ts";
import { type Subjects, subjectsOf } from "./subjects.ts";

/** What those return who lock the rows of a batch and read them, behind a new epoch where one is due. */
type Found = readonly [
  ...(readonly (readonly EpochRow[])[]),
  readonly ScopeRow[],
  readonly LoadedRow[],
];

interface EpochRow {
  readonly epoch: bigint;
}

/**
 * From here on nothing is written any more that this process has decided beforehand and sent before. By the clock, so that
 * no number comes twice where others have taken the process for dead and its row away.
 */
const EPOCH_SQL = `
  update owners set epoch = greatest(epoch + 1, ${NOW_MS_SQL}) where id = $1 returning epoch`;

/** A batch that was decided before the database was asked. */
interface ForeseenBatch {
  readonly facts: Facts;
  readonly rows: BatchRows;
  readonly results: OperationResult[];
  readonly written: Statement;
}

/** What a statement that writes says: the time. */
interface WrittenRow {
  readonly now_ms: bigint;
}

/** What can be asked for again where its answer is lost: it is found as it was left. */
const FORESEEABLE: readonly Operation["kind"][] = ["admit", "settle", "cancel"];

/**
 * Batches of operations, each a transaction of three statements in two journeys, and of a fourth in one more where a budget
 * turns; or, where this process knows what it would read, a single statement.
 */
export class MoneyTransactions {
  readonly #connections: Connections;
  readonly #owner: string;
  readonly #onDoubt: (operations: readonly Operation[]) => void;
  readonly #foresight: Foresight;
  readonly #foreseenMs: number;
  /** The count of this process in its row of `owners`, for what is decided beforehand; undefined where it has none. */
  #epoch: bigint | undefined;
  #epochIsDue = true;
  /** What became of admissions, by request, if the journey arrived that was lost with them. */
  readonly #lost = new Map<string, OperationResult>();

  /** `onDoubt` is told of operations that are said to have failed and may have happened. */
  constructor(
    connections: Connections,
    owner: string,
    foreseenMs: number,
    onDoubt: (operations: readonly Operation[]) => void,
  ) {
    this.#connections = connections;
    this.#owner = owner;
    this.#foreseenMs = foreseenMs;
    this.#foresight = new Foresight(foreseenMs);
    this.#onDoubt = onDoubt;
  }

  /** Whether somebody has to say what came in the end of operations that were lost. */
  get hasLost(): boolean {
    return this.#lost.size > 0;
  }

  /** An admission that was lost, and fails, may be there all the same, and has to be taken back. */
  end(op: Operation, result: OperationResult | Error): void {
    if (op.kind !== "admit" || !this.#lost.delete(op.request.requestId)) return;
    if (result instanceof Error) this.#onDoubt([op]);
  }

  /** Throws where nothing of it has happened, or nobody can say. `lockMs`: for how long rows are waited for. */
  async run(operations: readonly Operation[], lockMs?: number): Promise<OperationResult[]> {
    const foreseen = lockMs === undefined ? await this.#foreseen(operations) : undefined;
    // What became of one that was lost is asked for as long as that of a commit is.
    if (foreseen === "lost") return this.#asked(operations, lockMs, steadyClock() + DOUBT_MS);
    return foreseen ?? this.#asked(operations, lockMs);
  }

  /** Undefined where the database has to be asked, and nothing has happened. What was lost may have, for all that one knows. */
  async #foreseen(
    operations: readonly Operation[],
  ): Promise<OperationResult[] | "lost" | undefined> {
    const batch = this.#foresee(operations);
    if (!batch) return undefined;
    const { facts, rows, results, written } = batch;
    let isSent = false;
    const onSent = () => {
      isSent = true;
    };
    try {
      const row = await this.#connections.moneyJourney<WrittenRow>(written, onSent);
      this.#foresight.wasRight();
      this.#foresight.remember(facts, rows, Number(row.now_ms));
      return results;
    } catch (thrown) {
      if (isLockTimeout(thrown)) throw thrown;
      // The row of this process may be another, too.
      this.#epochIsDue = true;
      if (!isOutage(thrown)) this.#foresight.wasWrong();
      if (!isOutage(thrown) || !isSent) return undefined;
      this.#lose(operations, results);
      return "lost";
    }
  }

  /** It may be written, or on its way, or gone. The next that asks raises the epoch, and then sees which it is. */
  #lose(operations: readonly Operation[], results: readonly OperationResult[]): void {
    this.#foresight.lost();
    operations.forEach((op, i) => {
      const result = results[i];
      if (op.kind === "admit" && result && isAdmitted(result)) {
        this.#lost.set(op.request.requestId, result);
      }
    });
  }

  /** Undefined where too little is known, or nothing would be written that could be proved along the way. */
  #foresee(operations: readonly Operation[]): ForeseenBatch | undefined {
    if (this.#epochIsDue || this.#epoch === undefined) return undefined;
    if (!operations.every(({ kind }) => FORESEEABLE.includes(kind))) return undefined;
    const subjects = this.#subjectsOf(operations);
    const facts = this.#foresight.facts(subjects);
    if (!facts) return undefined;
    const sender = { owner: this.#owner, epoch: this.#epoch };
    const proof = proofOf(facts, sender, this.#foreseenMs);
    const rows = new BatchRows(facts);
    try {
      const results = new MoneyBatch(rows, this.#owner, facts.nowMs).run(operations);
      const written = rows.writing(proof);
      return written && { facts, rows, results, written };
    } catch {
      // Whoever asks first says it better.
      return undefined;
    }
  }

  /** With the holds of admissions that were lost, if they are there. */
  #subjectsOf(operations: readonly Operation[]): Subjects {
    const subjects = subjectsOf(operations);
    for (const op of operations) {
      if (op.kind !== "admit" || !this.#lost.has(op.request.requestId)) continue;
      subjects.loads.holds.add(op.request.requestId);
    }
    return subjects;
  }

  /** Where no connection can be had, it is tried once more, and until then. */
  async #asked(
    operations: readonly Operation[],
    lockMs: number | undefined,
    untilMs = Number.NEGATIVE_INFINITY,
    again = true,
  ): Promise<OperationResult[]> {
    const subjects = this.#subjectsOf(operations);
    const raised = this.#epochIsDue ? [{ text: EPOCH_SQL, params: [this.#owner] }] : [];
    let results: OperationResult[] | undefined;
    let xid = "";
    let remember = () => {};
    try {
      await this.#connections.moneyTransaction(
        [...raised, ...reads(subjects)],
        (found: Found, ask) => {
          const [scopes, [loaded]] = found.slice(-2) as [readonly ScopeRow[], readonly LoadedRow[]];
          if (!loaded) throw new Error("the database returned no row");
          const facts = readFacts(subjects, scopes, loaded);
          const write = () => {
            const rows = new BatchRows(facts);
            results = this.#decide(operations, facts, rows);
            xid = loaded.xid;
            remember = () => {
              this.#foresight.remember(facts, rows, facts.nowMs);
              if (raised.length > 0) this.#raiseTo(found[0] as readonly EpochRow[]);
            };
            return rows.writing();
          };
          const asked = askUsed(facts, ask);
          return asked ? asked.then(write) : write();
        },
        lockMs,
      );
      remember();
    } catch (thrown) {
      // The connection may have died while nobody used it; nothing has been committed on it.
      if (!results && (again || steadyClock() < untilMs) && isDisconnection(thrown)) {
        if (!again) await Bun.sleep(DOUBT_POLL_MS);
        return this.#asked(operations, lockMs, untilMs, false);
      }
      // With results there, all that was left to do was sent, and its answer may have been lost.
      if (!results || !isOutage(thrown) || !(await this.#isWritten(xid, operations, results))) {
        throw thrown;
      }
    }
    return results as OperationResult[];
  }

  /** Those that were lost and are there have come to what was decided for them then. */
  #decide(operations: readonly Operation[], facts: Facts, rows: BatchRows): OperationResult[] {
    const arrived = (op: Operation) =>
      op.kind === "admit" && facts.holds.has(op.request.requestId)
        ? this.#lost.get(op.request.requestId)
        : undefined;
    const others = operations.filter((op) => arrived(op) === undefined);
    const decided = new MoneyBatch(rows, this.#owner, facts.nowMs).run(others);
    return operations.map((op) => arrived(op) ?? (decided.shift() as OperationResult));
  }

  /** One that does not serve has no row of its own, and asks for everything. */
  #raiseTo([row]: readonly EpochRow[]): void {
    this.#epochIsDue = false;
    this.#epoch = row?.epoch;
  }

  /** Whether a batch whose answer was lost is known to be written. Notes what to undo where nobody can say. */
  async #isWritten(
    xid: string,
    operations: readonly Operation[],
    results: readonly OperationResult[],
  ): Promise<boolean> {
    const committed = await hasCommitted(this.#connections.read, { xid, operations, results });
    if (committed !== undefined) return committed;
    this.#onDoubt(operations);
    return false;
  }
}

/** Where a budget turns with the batch, asks what was used in its new window, behind the lock; undefined where none does. */
function askUsed(facts: Facts, ask: Ask): Promise<void> | undefined {
  const windows = turnings(facts);
  if (windows.length === 0) return undefined;
  const asked = ask<UsedRow>({ text: USED_IN_WINDOWS_SQL, params: [jsonParam(windows)] });
  return asked.then((rows) => {
    for (const { name, used } of rows) facts.usedIn.set(name, BigInt(used));
  });
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
