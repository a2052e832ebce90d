import type { NanoUsd } from "../catalogue/money.ts";
import type { BudgetTerms, KeySpending } from "./keys/budget.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  /** The account of whoever runs this installation; there is one. */
  readonly operator: boolean;
  readonly enabled: boolean;
  /** The budgets of all its keys are hard, whatever the keys say. Its balance always is. */
  readonly hard: boolean;
  /** The balance may go so far below zero, and no further. */
  readonly overdraft: NanoUsd;
  readonly createdAtMs: number;
}

/** In dollars: no account has a larger overdraft. */
export const OVERDRAFT_USD_MAX = 100_000_000n;

/** What is named is set. */
export type AccountChanges = Partial<Pick<Account, "name" | "enabled" | "hard" | "overdraft">>;

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
  /** It stays for the books: nobody lists it, nobody changes it, and it opens nothing. */
  readonly deletedAtMs: number | null;
}

/** What is kept of a secret: what it is found by, and what a person tells it by. */
export interface KeptSecret {
  /** SHA-256 of the whole secret, in hexadecimal. The secret itself is never stored. */
  readonly hash: string;
  readonly lastFour: string;
}

/** One secret of a key that takes the place of another. */
export interface SecretExchange {
  readonly keyId: string;
  /** The hash of the one that the key has until then. */
  readonly from: string;
  readonly to: KeptSecret;
}

/** A secret that a key had before its own, and until when it opens the key too. */
export interface FormerSecret {
  readonly lastFour: string;
  readonly endsAtMs: number;
}

/** What an account has lost the house on a UTC day: input that vendors counted beyond our bounds. */
export interface InputLoss {
  /** Days since 1970. */
  readonly day: number;
  readonly amount: NanoUsd;
}

/** A key as a request needs it: joined with the state of its account. */
export interface PresentedKey extends Key {
  /** Until when what was presented opens the key; null for the key's own secret. */
  readonly secretEndsAtMs: number | null;
  readonly accountEnabled: boolean;
  readonly accountHard: boolean;
  readonly overdraft: NanoUsd;
  readonly operator: boolean;
  /** The account's loss on the last day with a loss. */
  readonly inputLoss: InputLoss;
}

/** By how much a request may pass the limits of its account and key. */
export interface Leeway {
  /** The balance may go so far below zero, and no further. */
  readonly overdraft: NanoUsd;
  /** The budgets of the key may not be passed, not even by a request that is alone. */
  readonly hard: boolean;
  /** A request that is alone passes a soft budget by this or by the budget's amount, whichever is less. */
  readonly loneMax: NanoUsd;
  /** But by this where a short answer costs more than that: a budget may be tiny. */
  readonly loneLeast: NanoUsd;
}

/** Whether no request may pass the budgets of this key. */
export function isHard(key: Pick<PresentedKey, "hard" | "accountHard">): boolean {
  return key.hard || key.accountHard;
}

export interface KeySummary extends Key, KeySpending {
  /** The last to end first; some of them have ended. */
  readonly formerSecrets: readonly FormerSecret[];
}

/** The secrets of before that still open a key. */
export function openSecrets(
  { formerSecrets }: Pick<KeySummary, "formerSecrets">,
  nowMs: number,
): readonly FormerSecret[] {
  return formerSecrets.filter(({ endsAtMs }) => endsAtMs > nowMs);
}

export interface NewKey extends Key, KeptSecret {
  readonly budgets: readonly BudgetTerms[];
}

/**
 * What is named is set. A list of budgets takes the place of the one before: of a budget that stays,
 * with its period and zone, what was used stays too, whatever its amount becomes.
 */
export type KeyChanges = Partial<KeySettings & { readonly budgets: readonly BudgetTerms[] }>;
