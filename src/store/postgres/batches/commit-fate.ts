import {
  isAdmitted,
  isGranted,
  type Operation,
  type OperationResult,
} from "../../money/operations.ts";
import { AT } from "../../rows.ts";
import type { Run, Statement } from "../connections.ts";

/** How long to ask what became of a commit whose answer was lost, and how often. */
export const DOUBT_MS = 2_000;
export const DOUBT_POLL_MS = 100;

/** A batch whose commit was sent and not answered. */
interface LostCommit {
  readonly xid: string;
  readonly operations: readonly Operation[];
  /** What they came to, if it has happened. */
  readonly results: readonly OperationResult[];
}

/** Rows name the transaction that wrote them by the lower half of its number. */
function lowerHalf(xid: string): string {
  return BigInt.asUintN(32, BigInt(xid)).toString();
}

/** Asks for a row as nobody but this batch writes it: the hold of a request, more of one, or the receipt of its end. */
function traceOf({ xid, operations, results }: LostCommit): Statement | undefined {
  let raised: Statement | undefined;
  for (const [at, op] of operations.entries()) {
    const result = results[at];
    if (op.kind === "admit" && isAdmitted(result)) {
      return { text: "select 1 from holds where id = $1", params: [op.request.requestId] };
    }
    if (op.kind === "raise" && isGranted(result)) {
      const params = [op.request.requestId, lowerHalf(xid)];
      raised ??= { text: "select 1 from holds where id = $1 and xmin::text = $2", params };
    }
    if (op.kind === "settle" && result === "done") {
      const params = [op.row[AT.id], op.row[AT.billingReason]];
      return { text: "select 1 from receipts where id = $1 and billing_reason = $2", params };
    }
  }
  return raised;
}

/** Undefined where the database does not answer. */
async function ask<T>(read: Run, { text, params }: Statement): Promise<readonly T[] | undefined> {
  try {
    return await read<T>(text, params);
  } catch {
    return undefined;
  }
}

async function isThere(read: Run, lost: LostCommit): Promise<boolean | undefined> {
  const trace = traceOf(lost);
  // What was taken back leaves no row, and can be taken back again. What was only refused, nobody misses.
  if (!trace) return lost.operations.every(({ kind }) => kind !== "cancel");
  const rows = await ask(read, trace);
  return rows && rows.length > 0;
}

/** Undefined where the database does not answer. */
type Trace = () => Promise<boolean | undefined>;

/**
 * Asks the database what became of a transaction; undefined where it cannot say. That its number is committed is not
 * enough: a database that fell may have lost a number with all that was done under it, and give it to another
 * transaction when it is back. So it also has to show a trace.
 */
export async function fateOf(
  read: Run,
  xid: string,
  isThere: Trace,
  doubtMs: number,
): Promise<boolean | undefined> {
  const asked = { text: "select pg_xact_status(($1::text)::xid8) as status", params: [xid] };
  const deadlineMs = performance.now() + doubtMs;
  while (performance.now() < deadlineMs) {
    const [row] = (await ask<{ status: string | null }>(read, asked)) ?? [];
    if (row?.status === "aborted") return false;
    const isWritten = row?.status === "committed" ? await isThere() : undefined;
    if (isWritten !== undefined) return isWritten || undefined;
    await Bun.sleep(DOUBT_POLL_MS);
  }
  return undefined;
}

/** The same of a batch, by a row of it. */
export function hasCommitted(read: Run, lost: LostCommit): Promise<boolean | undefined> {
  return fateOf(read, lost.xid, () => isThere(read, lost), DOUBT_MS);
}
