import type { AdmissionRequest, RaiseRequest } from "../../admission/request.ts";
import type { Operation, OperationResult } from "../money/operations.ts";
import { type Cell, MONEY_CELLS, type ReceiptRow } from "../rows.ts";

/**
 * Batches cross to the writer thread as one text each. Cloning the same operations as objects costs
 * several times as much on both sides, and this is paid twice by every request. Whole numbers that
 * may pass 2⁵³ are written as strings; their places are known.
 */
type PackedRow = readonly (string | number | null)[];
type Packed = readonly [kind: string, ...rest: unknown[]];

function packRow(row: ReceiptRow): PackedRow {
  const packed: Cell[] = row.slice();
  for (const i of MONEY_CELLS) packed[i] = String(packed[i]);
  return packed as PackedRow;
}

function unpackRow(packed: PackedRow): ReceiptRow {
  const row: Cell[] = packed.slice();
  for (const i of MONEY_CELLS) row[i] = BigInt(row[i] as string);
  return row as readonly Cell[] as ReceiptRow;
}

function packRequest(request: AdmissionRequest): Packed {
  const { limits } = request;
  return [
    "admit",
    request.requestId,
    request.accountId,
    request.keyId,
    limits.requestsPerMinute,
    limits.tokensPerMinute,
    limits.concurrency,
    request.inputTokens,
    request.countRate,
    request.behind,
    String(request.worst),
    String(request.floor),
    String(request.least),
    request.hard,
    String(request.inputCost),
    request.model,
    request.endpoint,
    request.channel,
    request.stream,
  ];
}

function unpackRequest(packed: Packed): AdmissionRequest {
  return {
    requestId: packed[1] as string,
    accountId: packed[2] as string,
    keyId: packed[3] as string,
    limits: {
      requestsPerMinute: packed[4] as number,
      tokensPerMinute: packed[5] as number,
      concurrency: packed[6] as number,
    },
    inputTokens: packed[7] as number,
    countRate: packed[8] as boolean,
    behind: packed[9] as string | null,
    worst: BigInt(packed[10] as string),
    floor: BigInt(packed[11] as string),
    least: BigInt(packed[12] as string),
    hard: packed[13] as boolean,
    inputCost: BigInt(packed[14] as string),
    model: packed[15] as string,
    endpoint: packed[16] as string,
    channel: packed[17] as string,
    stream: packed[18] as boolean,
  };
}

function packRaise({ requestId, accountId, keyId, ...wish }: RaiseRequest): Packed {
  return ["raise", requestId, accountId, keyId, String(wish.need), String(wish.floor), wish.hard];
}

function unpackRaise(packed: Packed): RaiseRequest {
  return {
    requestId: packed[1] as string,
    accountId: packed[2] as string,
    keyId: packed[3] as string,
    need: BigInt(packed[4] as string),
    floor: BigInt(packed[5] as string),
    hard: packed[6] as boolean,
  };
}

function packOperation(op: Operation): Packed {
  switch (op.kind) {
    case "admit":
      return packRequest(op.request);
    case "settle":
      return ["settle", op.post, op.tokensBeyondEstimate, packRow(op.row)];
    case "refuse":
      return ["refuse", op.count.requests, op.count.max, packRow(op.row)];
    case "raise":
      return packRaise(op.request);
    case "cancel":
      return ["cancel", op.requestId, op.accountId, op.keyId];
  }
}

function unpackOperation(packed: Packed): Operation {
  const [kind, first, second, third] = packed;
  switch (kind as Operation["kind"]) {
    case "admit":
      return { kind: "admit", request: unpackRequest(packed) };
    case "settle": {
      const row = unpackRow(third as PackedRow);
      const tokensBeyondEstimate = second as number;
      return { kind: "settle", post: first as boolean, row, tokensBeyondEstimate };
    }
    case "refuse": {
      const count = { requests: first as number, max: second as number };
      return { kind: "refuse", row: unpackRow(third as PackedRow), count };
    }
    case "raise":
      return { kind: "raise", request: unpackRaise(packed) };
    case "cancel":
      return {
        kind: "cancel",
        requestId: first as string,
        accountId: second as string,
        keyId: third as string,
      };
  }
}

export function packBatch(batch: readonly Operation[]): string {
  return JSON.stringify(batch.map(packOperation));
}

export function unpackBatch(text: string): Operation[] {
  return (JSON.parse(text) as Packed[]).map(unpackOperation);
}

type Outcome = Exclude<OperationResult, string | number | null>;

/** An answer that crosses as it is. */
function isPlain(result: unknown): result is string | number | null {
  return result === null || typeof result !== "object";
}

/** Amounts of an outcome as strings; everything else in it is plain already. */
function packResult(result: OperationResult): unknown {
  if (isPlain(result)) return result;
  switch (result.kind) {
    case "admitted":
      return { ...result, held: String(result.held), left: result.left?.toString() ?? null };
    case "exceeded":
      return { ...result, used: String(result.used), max: String(result.max) };
    case "short": {
      const { used, max, left, needed } = result;
      const amounts = { used: `${used}`, max: `${max}`, left: `${left}`, needed: `${needed}` };
      return { ...result, ...amounts };
    }
    case "granted":
      return { ...result, granted: String(result.granted) };
    default:
      return result;
  }
}

function unpackResult(packed: unknown): OperationResult {
  if (isPlain(packed)) return packed as OperationResult;
  const outcome = packed as Outcome;
  switch (outcome.kind) {
    case "admitted": {
      const left = outcome.left === null ? null : BigInt(outcome.left);
      return { ...outcome, held: BigInt(outcome.held), left };
    }
    case "exceeded":
      return { ...outcome, used: BigInt(outcome.used), max: BigInt(outcome.max) };
    case "short": {
      const { used, max, left, needed } = outcome;
      const limit = { used: BigInt(used), max: BigInt(max) };
      return { ...outcome, ...limit, left: BigInt(left), needed: BigInt(needed) };
    }
    case "granted":
      return { ...outcome, granted: BigInt(outcome.granted) };
    default:
      return outcome;
  }
}

export function packResults(results: readonly OperationResult[]): string {
  return JSON.stringify(results.map(packResult));
}

export function unpackResults(text: string): (OperationResult | Error)[] {
  return (JSON.parse(text) as unknown[]).map(unpackResult);
}
