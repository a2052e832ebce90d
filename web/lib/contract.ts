// What the console's API answers. Amounts are decimal strings in USD, times are ISO-8601 in UTC.

export type Role = "viewer" | "member" | "owner";
export type Decimal = string;
export type Instant = string;

export interface Page<Row> {
  readonly object: "list";
  readonly data: readonly Row[];
  readonly next: string | null;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
}

/** What a visitor who is not signed in may know. */
export interface SignInOptions {
  readonly signup: "invite" | "open" | "closed";
  readonly providers: readonly Provider[];
  /** Whether the server can send any: without it, no page promises a mail. */
  readonly mail: boolean;
}

export interface AccountSummary {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly balance: Decimal;
}

export interface Me extends SignInOptions {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly two_factor: boolean;
    readonly language: "en" | "zh" | null;
    readonly theme: "light" | "dark" | "system" | null;
    readonly time_zone: string | null;
  };
  readonly operator: boolean;
  readonly accounts: readonly AccountSummary[];
  readonly public_url: string;
  readonly display_currency: { readonly code: string; readonly rate: Decimal } | null;
  readonly test_payment: boolean;
}

export interface Invitation {
  readonly account_name: string;
  readonly role: Role;
  readonly email: string;
}

export const PERIODS = ["total", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

export interface Budget {
  readonly id: string;
  readonly amount: Decimal;
  readonly period: Period;
  readonly time_zone: string;
  readonly used: Decimal;
  readonly held: Decimal;
  readonly resets_at: Instant | null;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly last_four: string;
  readonly enabled: boolean;
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
  readonly expires_at: Instant | null;
  /** A deleted key is shown, but it opens nothing and cannot be changed. */
  readonly deleted_at: Instant | null;
  readonly models: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly concurrency: number | null;
  readonly hard: boolean;
  readonly account_read: boolean;
  readonly show_cost: boolean;
  readonly budgets: readonly Budget[];
  readonly used_total: Decimal;
  /** Secrets of before that still work. */
  readonly former_secrets: readonly { readonly last_four: string; readonly ends_at: Instant }[];
}

export interface NewBudget {
  readonly amount: Decimal;
  readonly period: Period;
  readonly time_zone?: string;
}

export interface KeyWishes {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly budgets?: readonly NewBudget[];
  readonly models?: readonly string[] | null;
  readonly networks?: readonly string[] | null;
  readonly rpm?: number | null;
  readonly tpm?: number | null;
  readonly concurrency?: number | null;
  readonly expires_at?: Instant | null;
  readonly hard?: boolean;
  readonly account_read?: boolean;
  readonly show_cost?: boolean;
}

/** The answer to the creation of a key: the only time its secret is told. */
export interface CreatedKey extends Key {
  readonly secret: string;
}

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
