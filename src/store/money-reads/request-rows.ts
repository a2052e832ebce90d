import type { RequestFilter, RequestRow } from "../../console/store.ts";
import type { BillingReason } from "../../ledger/receipt.ts";
import type { Integer } from "../keys/key-rows.ts";
import type { StatementParameters } from "./statement-parameters.ts";

/** Of a receipt `r` and its key `k`. Money is text, to stay whole. */
export const REQUEST_COLUMNS = `r.id, r.created_at, r.key_id, k.name as key_name, r.model,
  r.served_model, r.endpoint, r.stream, r.status, r.billing_reason, r.error_code, r.channel,
  r.fresh + r.cache_read + r.cache_write + r.cache_write_long as input, r.output,
  cast(r.cost as text) as cost, r.duration_ms, r.first_byte_ms, r.requests, r.last_at`;

export interface RequestCells {
  readonly id: string;
  readonly created_at: Integer;
  readonly key_id: string;
  readonly key_name: string | null;
  readonly model: string;
  readonly served_model: string | null;
  readonly endpoint: string;
  readonly stream: Integer;
  readonly status: Integer;
  readonly billing_reason: string;
  readonly error_code: string | null;
  readonly channel: string | null;
  readonly input: Integer;
  readonly output: Integer;
  readonly cost: string;
  readonly duration_ms: Integer;
  readonly first_byte_ms: Integer | null;
  readonly requests: Integer;
  readonly last_at: Integer | null;
}

export function readRequest(row: RequestCells): RequestRow {
  return {
    id: row.id,
    createdAtMs: Number(row.created_at),
    keyId: row.key_id,
    keyName: row.key_name ?? "",
    model: row.model,
    servedModel: row.served_model,
    endpoint: row.endpoint,
    stream: Number(row.stream) === 1,
    httpStatus: Number(row.status),
    billingReason: row.billing_reason as BillingReason,
    errorCode: row.error_code,
    channel: row.channel,
    inputTokens: Number(row.input),
    outputTokens: Number(row.output),
    cost: BigInt(row.cost),
    durationMs: Number(row.duration_ms),
    firstByteMs: row.first_byte_ms === null ? null : Number(row.first_byte_ms),
    requests: Number(row.requests),
    lastAtMs: row.last_at === null ? null : Number(row.last_at),
  };
}

/** A failure is what rollups count as one; a refusal is a failure that reached no vendor. */
const STATUS_CONDITIONS = {
  ok: "r.status < 400",
  error: "r.status >= 400 and r.billing_reason <> 'refused'",
  refused: "r.status >= 400 and r.billing_reason = 'refused'",
} as const;

/** What a filter asks of a receipt `r`, beyond its account. */
export function filterConditions(filter: RequestFilter, parameters: StatementParameters): string[] {
  const conditions: string[] = [];
  if (filter.keyId !== undefined) conditions.push(`r.key_id = ${parameters.add(filter.keyId)}`);
  if (filter.model !== undefined) conditions.push(`r.model = ${parameters.add(filter.model)}`);
  if (filter.status !== undefined) conditions.push(STATUS_CONDITIONS[filter.status]);
  return conditions;
}
