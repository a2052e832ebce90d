import type { ResponseRecord } from "../conversations/record.ts";
import type { Integer } from "./keys/key-rows.ts";

/** A stored response as either database returns it. */
export interface ResponseRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly parent_id: string | null;
  readonly created_at: Integer;
  readonly expires_at: Integer;
  readonly body: Uint8Array;
}

export function readResponse(row: ResponseRow, itemIds: readonly string[]): ResponseRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    parentId: row.parent_id,
    createdAtMs: Number(row.created_at),
    expiresAtMs: Number(row.expires_at),
    itemIds,
    body: row.body,
  };
}
