import type {
  Account,
  AccountSummary,
  KeyChanges,
  KeySummary,
  NewKey,
  PresentedKey,
} from "./account.ts";

export interface AccountsStore {
  /**
   * Always current, but for the time of its last use: a key disabled by another process is refused
   * on its next request.
   */
  findKey(hash: string): PresentedKey | undefined | Promise<PresentedKey | undefined>;
  /** Creates the account and the (empty) balance that belongs to it. */
  createAccount(account: Account): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  operatorAccount(): Promise<Account | undefined>;
  listAccounts(): Promise<readonly AccountSummary[]>;
  /** Creates the key and its budget. False when the account does not exist. */
  createKey(key: NewKey): Promise<boolean>;
  listKeys(accountId?: string): Promise<readonly KeySummary[]>;
  /** False when there is no such key. */
  updateKey(id: string, changes: KeyChanges): Promise<boolean>;
}
