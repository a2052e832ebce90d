import type { KeySpending } from "../accounts/keys/budget.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { Receipt } from "./receipt.ts";

export interface Credit {
  /** Idempotency key: the same id credits once, however often it is sent. */
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  /** Test credit is play money; a restore puts back a refund that failed, or a charge that came too late. */
  readonly kind: "trial" | "topup" | "test" | "restore";
  readonly note: string;
  readonly createdAtMs: number;
  /** Of a charge that is given back: budgets of its key in whose window it was made have used so much less. */
  readonly charge?: { readonly keyId: string; readonly requestId: string };
}

/** Money that leaves an account other than for a request. Its id is in one space with those of credits. */
export interface Debit extends Omit<Credit, "kind" | "charge"> {
  readonly kind: "refund" | "reversal";
}

/** The debit whose id is closed: an entry of nothing, where there is none. */
export type ClosedDebit = Omit<Debit, "amount">;

export interface Balance {
  readonly credited: NanoUsd;
  readonly charged: NanoUsd;
  readonly held: NanoUsd;
  /** How many requests hold it. */
  readonly running: bigint;
  /** Whether all that was ever credited is trial credit. */
  readonly trialOnly: boolean;
}

export interface UsageRow {
  readonly day: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly model: string;
  readonly requests: number;
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: NanoUsd;
}

export interface UsageQuery {
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
  /** The day of this moment is the first. */
  readonly sinceMs: number;
  /** All keys of an account in one row, whose `keyId` is empty. */
  readonly keysTogether?: boolean;
}

/** What `verify` counted and every sum that was not what it should be. */
export interface Verification {
  readonly accounts: number;
  readonly keys: number;
  readonly entries: number;
  readonly receipts: number;
  readonly openHolds: number;
  readonly problems: readonly string[];
}

/** What may be read of the books by those who only read. */
export interface Books {
  balance(accountId: string, timeBudget?: TimeBudget): Promise<Balance | undefined>;
  /** What a key has used, and how its budgets stand at this moment. */
  spending(keyId: string, timeBudget?: TimeBudget): Promise<KeySpending | undefined>;
  /** By request id or by the id of the answer. Only of this account, and this key where given. */
  findReceipt(
    id: string,
    accountId: string,
    keyId?: string,
    timeBudget?: TimeBudget,
  ): Promise<Receipt | undefined>;
  /** The account that has the credit or debit of this id; undefined where there is none. */
  accountOfEntry(id: string, timeBudget?: TimeBudget): Promise<string | undefined>;
  /** What was used, by day, key and model. */
  usage(query: UsageQuery, timeBudget?: TimeBudget): Promise<readonly UsageRow[]>;
}
