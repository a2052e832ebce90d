import type { NanoUsd } from "../catalogue/money.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  /** The account of whoever runs this installation; there is one. */
  readonly operator: boolean;
  readonly enabled: boolean;
  /** Output is clamped to what is left, so that the balance cannot be overrun. */
  readonly hard: boolean;
  readonly createdAtMs: number;
}

export interface AccountSummary extends Account {
  readonly balance: NanoUsd;
  readonly keys: number;
}

/** What a key may do. Zero means "no limit" for the counts, null for the lists. */
export interface KeySettings {
  readonly name: string;
  readonly enabled: boolean;
  readonly expiresAtMs: number | null;
  readonly models: readonly string[] | null;
  /** CIDR ranges a request may come from. */
  readonly networks: readonly string[] | null;
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrency: number;
  readonly hard: boolean;
  /** May read the account's credits, receipts and responses, not only its own. */
  readonly accountRead: boolean;
  /** Whether answers carry `usage.cost`. */
  readonly showCost: boolean;
}

export interface Key extends KeySettings {
  readonly id: string;
  readonly accountId: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A key as a request needs it: joined with the state of its account. */
export interface PresentedKey extends Key {
  readonly accountEnabled: boolean;
  readonly accountHard: boolean;
  readonly operator: boolean;
}

export interface KeySummary extends Key {
  readonly budget: NanoUsd | null;
  readonly used: NanoUsd;
}

export interface NewKey extends Key {
  /** SHA-256 of the whole secret, in hexadecimal. The secret itself is never stored. */
  readonly hash: string;
  readonly budget: NanoUsd | null;
}

export type KeyChanges = Partial<KeySettings & { readonly budget: NanoUsd | null }>;
