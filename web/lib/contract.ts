// What the console's API answers. Amounts are decimal strings in USD, times are ISO-8601 in UTC.

export type Decimal = string;
export type Instant = string;

export interface Page<Row> {
  readonly object: "list";
  readonly data: readonly Row[];
  readonly next: string | null;
}

export const PERIODS = ["total", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

export interface UsageNumbers {
  readonly requests: number;
  readonly failures: number;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly cost: Decimal;
}

export interface UsageRow extends UsageNumbers {
  readonly day?: string;
  readonly model?: string;
  readonly key_id?: string;
  readonly key_name?: string;
}

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly total: UsageNumbers;
}

export type RequestStatus = "ok" | "error" | "refused";

export interface RequestRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly key_id: string;
  readonly key_name: string;
  readonly model: string;
  readonly served_model: string | null;
  readonly endpoint: string;
  readonly stream: boolean;
  readonly status: RequestStatus;
  readonly billing_reason: string | null;
  readonly error_code: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: Decimal;
  readonly duration_ms: number;
  readonly first_byte_ms: number | null;
  /** How many it stands for: more than one only where refusals share a receipt. */
  readonly requests: number;
  readonly last_at: Instant | null;
  /** Only operators see it. */
  readonly channel?: string;
}
