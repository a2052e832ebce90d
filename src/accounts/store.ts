import type {
  Account,
  AccountChanges,
  AccountSummary,
  KeptSecret,
  KeyChanges,
  KeySummary,
  NewKey,
  PresentedKey,
} from "./account.ts";
import type { Role } from "./guards.ts";
import type {
  Invitation,
  Member,
  MemberChange,
  Membership,
  NewInvitation,
  OperatorToken,
  PersonName,
  Preferences,
} from "./people/person.ts";

export interface AccountsStore {
  /**
   * Always current, but for the time of its last use: a key disabled by another process is refused
   * on its next request.
   */
  findKey(hash: string): PresentedKey | undefined | Promise<PresentedKey | undefined>;
  /** Creates the account and the (empty) balance that belongs to it. */
  createAccount(account: Account): Promise<void>;
  /** Seen by the next request of each of its keys. False when there is no such account. */
  updateAccount(id: string, changes: AccountChanges): Promise<boolean>;
  findAccount(id: string): Promise<Account | undefined>;
  operatorAccount(): Promise<Account | undefined>;
  listAccounts(): Promise<readonly AccountSummary[]>;
  /** Creates the key and its budgets. False when the account does not exist. */
  createKey(key: NewKey): Promise<boolean>;
  /** Those that are deleted are not among them. */
  listKeys(accountId?: string): Promise<readonly KeySummary[]>;
  /** One key by its id, with how its budgets stand now. A deleted one is found too. */
  describeKey(id: string): Promise<KeySummary | undefined>;
  /** False when there is no such key, or none any more. */
  updateKey(id: string, changes: KeyChanges): Promise<boolean>;
  /**
   * Gives a key another secret. The one before opens it until it ends, beside others of before that
   * have not ended. False when there is no such key, or none any more.
   */
  replaceSecret(id: string, secret: KeptSecret, formerEndsAtMs: number): Promise<boolean>;
  /** Ends the secrets of before that still open a key. */
  endFormerSecrets(id: string, nowMs: number): Promise<void>;
  /** Takes a key away for good; what it has used stays. False when it is gone already. */
  deleteKey(id: string, nowMs: number): Promise<boolean>;
}

export interface MembersStore {
  /** A person who is a member already stays what they are. */
  add(member: Membership, nowMs: number): Promise<void>;
  find(accountId: string, userId: string): Promise<Membership | undefined>;
  ofUser(userId: string): Promise<readonly Membership[]>;
  ofAccount(accountId: string): Promise<readonly Member[]>;
  isOperator(userId: string): Promise<boolean>;
  anyOperator(): Promise<boolean>;
  /** The address that somebody signs in with. */
  emailOf(userId: string): Promise<string | undefined>;
  /** Of those that there are, by their ids. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonName>>;
  change(
    accountId: string,
    userId: string,
    wish: { readonly role?: Role | undefined; readonly operator?: boolean | undefined },
  ): Promise<MemberChange>;
  remove(accountId: string, userId: string): Promise<MemberChange>;
  /** Takes somebody out of every account, the last owner too. */
  removeAll(userId: string): Promise<void>;
}

export interface InvitationsStore {
  add(invitation: NewInvitation): Promise<void>;
  /** Only one that is open: neither used, nor taken back, nor expired. */
  find(hash: string, nowMs: number): Promise<Invitation | undefined>;
  openOf(accountId: string, nowMs: number): Promise<readonly Invitation[]>;
  openFor(email: string, nowMs: number): Promise<readonly Invitation[]>;
  /** The sealed token of an open one; absent where it was made before these were kept. */
  sealedToken(id: string): Promise<string | undefined>;
  /** False when it was not open any more. */
  use(id: string, userId: string, nowMs: number): Promise<boolean>;
  /** Its link did not go to its address, and is to be shown. */
  noteUnmailed(id: string): Promise<void>;
  /** False when the account has no such open invitation. */
  withdraw(accountId: string, id: string, nowMs: number): Promise<boolean>;
}

/** Accounts that people have opened for themselves, by who did. */
export interface SignUpsStore {
  add(userId: string, accountId: string, nowMs: number): Promise<void>;
  accountOf(userId: string): Promise<string | undefined>;
}

/** Who made which key; a key that nobody here made was typed at the machine. */
export interface KeyMakersStore {
  set(keyId: string, userId: string): Promise<void>;
  find(keyId: string): Promise<string | undefined>;
  keysOf(userId: string): Promise<readonly string[]>;
  /** Everybody who has made one. */
  makers(): Promise<readonly string[]>;
}

/** A key that this installation keeps the secret of, to call itself with. */
export interface KeptKey {
  readonly accountId: string;
  /** What it is for; an account has one for each. */
  readonly purpose: string;
  readonly keyId: string;
  readonly sealedSecret: string;
}

export interface KeptKeysStore {
  find(accountId: string, purpose: string): Promise<KeptKey | undefined>;
  /** False when there is one for this purpose already. */
  add(key: KeptKey): Promise<boolean>;
  /** Only this very key; one that has taken its place stays. */
  remove(key: Pick<KeptKey, "accountId" | "purpose" | "keyId">): Promise<void>;
  /** The account's keys whose purpose begins with these words. */
  keysFor(accountId: string, purposePrefix: string): Promise<readonly string[]>;
}

/** When wrong passwords make somebody wait, and how long. */
export interface AttemptTerms {
  readonly nowMs: number;
  /** What was before this does not count any more. */
  readonly forgetBeforeMs: number;
  /** So many make nobody wait. */
  readonly free: number;
  /** The first wait, doubled with each further one up to the most. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** What several instances have to know of those who try to come in. */
export interface SignInGuardStore {
  /** Counts a try, unless it is too early: then how long it is to wait. */
  begin(name: string, terms: AttemptTerms): Promise<number>;
  forget(name: string): Promise<void>;
  /** False when this step of the person's factor was used, or a later one. */
  takeStep(userId: string, factor: string, step: number): Promise<boolean>;
  /** Ends what was to be confirmed: links to set a password, second factors, trusted browsers. */
  endChallenges(userId: string): Promise<void>;
  /** Takes away all that somebody could come in with but the password. */
  putOut(userId: string): Promise<void>;
}

/** Somebody who signs up and has not shown yet that the address is theirs. */
export interface PendingSignUp {
  /** What is stored of the token in the link. */
  readonly hash: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly expiresAtMs: number;
}

export interface PendingSignUpsStore {
  add(pending: PendingSignUp, nowMs: number): Promise<void>;
  find(hash: string, nowMs: number): Promise<PendingSignUp | undefined>;
  /** False when it was taken already. Others of the same address go with it. */
  take(pending: PendingSignUp): Promise<boolean>;
}

export interface OperatorTokensStore {
  add(token: OperatorToken & { readonly hash: string }): Promise<void>;
  /** Notes the use as well, at most once a minute. */
  use(hash: string, nowMs: number): Promise<OperatorToken | undefined>;
  list(): Promise<readonly OperatorToken[]>;
  revoke(id: string, nowMs: number): Promise<boolean>;
  /** True for the first who finds it expired. */
  noteExpiry(id: string): Promise<boolean>;
}

export interface OperatorLinksStore {
  add(hash: string, nowMs: number, expiresAtMs: number): Promise<void>;
  /** False when it is unknown, used or expired. */
  isGood(hash: string, nowMs: number): Promise<boolean>;
  /** False when it is no good. Of two at the same instant, one is told true. */
  take(hash: string, nowMs: number): Promise<boolean>;
  /** Makes a link that was taken for nothing good again. */
  giveBack(hash: string): Promise<void>;
}

export interface PreferencesStore {
  find(userId: string): Promise<Preferences>;
  save(userId: string, changes: Partial<Preferences>): Promise<void>;
}
