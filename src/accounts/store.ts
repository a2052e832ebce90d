import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type {
  Account,
  AccountChanges,
  AccountSummary,
  KeptSecret,
  KeyChanges,
  KeySummary,
  NewKey,
  PresentedKey,
  SecretExchange,
} from "./account.ts";

export interface AccountsStore {
  /**
   * Always current, but for the time of its last use: a key disabled by another process is refused
   * on its next request.
   */
  findKey(hash: string, timeBudget?: TimeBudget): MaybePromise<PresentedKey | undefined>;
  /** Creates the account and the (empty) balance that belongs to it. */
  createAccount(account: Account): Promise<void>;
  /** Seen by the next request of each of its keys. False when there is no such account. */
  updateAccount(id: string, changes: AccountChanges): Promise<boolean>;
  findAccount(id: string): Promise<Account | undefined>;
  operatorAccount(): Promise<Account | undefined>;
  /** Whether it never had a key, also none that is deleted, nor an entry but the one of this id. */
  isUnused(id: string, exceptEntry: string): Promise<boolean>;
  listAccounts(): Promise<readonly AccountSummary[]>;
  /**
   * Creates the key and its budgets. False when the account does not exist, and "too_many" when it has so many keys that are
   * not deleted. If two are created at once, the second counts the first.
   */
  createKey(key: NewKey, keysMax?: number): Promise<boolean | "too_many">;
  /** Those that are deleted are not among them. */
  listKeys(accountId?: string): Promise<readonly KeySummary[]>;
  /** One key by its id, with how its budgets stand now. A deleted one is found too. */
  describeKey(id: string): Promise<KeySummary | undefined>;
  /** False when there is no such key, or none any more. */
  updateKey(id: string, changes: KeyChanges): Promise<boolean>;
  /**
   * Lets another secret open a key until then, beside the one that it has, whose hash this is. Undefined when there is no such
   * key, or none any more.
   */
  addSecret(id: string, secret: KeptSecret, endsAtMs: number): Promise<string | undefined>;
  /**
   * Makes a secret that was added the key's own. The one before opens it until it ends, beside others of before that have not
   * ended. False when the key is gone, has got another one meanwhile, or the one that was added was withdrawn.
   */
  replaceSecret(exchange: SecretExchange, formerEndsAtMs: number): Promise<boolean>;
  /**
   * Takes back a secret that was added and told to nobody. Where it has taken the place of the one before, that is the key's
   * own again; where it has not, it never will. So it does not matter which of the two comes first.
   */
  withdrawSecret(exchange: SecretExchange): Promise<void>;
  /** Ends the secrets of before that still open a key. */
  endFormerSecrets(id: string, nowMs: number): Promise<void>;
  /** Takes a key away for good; what it has used stays. False when it is gone already. */
  deleteKey(id: string, nowMs: number): Promise<boolean>;
}
