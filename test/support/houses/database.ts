// What a server has written, read beside it or after its death.
import type { Site } from "../../store/engines.ts";
import { eventually } from "../waiting.ts";

export async function openHolds(
  database: Pick<Site, "run">,
): Promise<{ id: string; amount: bigint; stream: boolean }[]> {
  const rows = await database.run("select id, amount, stream from holds order by id");
  return rows.map((row) => ({
    id: String(row.id),
    amount: BigInt(row.amount as bigint),
    stream: Number(row.stream) === 1,
  }));
}

export function noHolds(database: Pick<Site, "run">): Promise<boolean> {
  return eventually("no hold is left", async () => (await openHolds(database)).length === 0);
}

export interface ReceiptRow {
  readonly id: string;
  readonly keyId: string;
  readonly responseId: string | null;
  readonly status: number;
  readonly reason: string;
  readonly errorCode: string | null;
  readonly cost: bigint;
  /** The hold as it was at admission. */
  readonly held: bigint;
  /** The part that the operator pays. */
  readonly loss: bigint;
}

export async function receipts(database: Pick<Site, "run">): Promise<ReceiptRow[]> {
  const rows = await database.run(
    "select id, key_id, response_id, status, billing_reason, error_code, cost, held, loss from receipts",
  );
  return rows.map((row) => ({
    id: String(row.id),
    keyId: String(row.key_id),
    responseId: row.response_id === null ? null : String(row.response_id),
    status: Number(row.status),
    reason: String(row.billing_reason),
    errorCode: row.error_code === null ? null : String(row.error_code),
    cost: BigInt(row.cost as bigint),
    held: BigInt(row.held as bigint),
    loss: BigInt(row.loss as bigint),
  }));
}

export interface EntryRow {
  readonly kind: string;
  readonly amount: bigint;
  readonly holdId: string | null;
}

export async function entries(database: Pick<Site, "run">): Promise<EntryRow[]> {
  const rows = await database.run("select kind, amount, hold_id from entries");
  return rows.map((row) => ({
    kind: String(row.kind),
    amount: BigInt(row.amount as bigint),
    holdId: row.hold_id === null ? null : String(row.hold_id),
  }));
}
