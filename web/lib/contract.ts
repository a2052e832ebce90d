// What the console's API answers. Amounts are decimal strings in USD, times are ISO-8601 in UTC.

export type Decimal = string;
export type Instant = string;

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
