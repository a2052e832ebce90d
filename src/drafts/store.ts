import type { Draft, DraftVersion, PublicAccount, Push, WritingCall } from "./draft.ts";

export interface PublicAccountsStore {
  /** Newest last. */
  list(accountId: string): Promise<readonly PublicAccount[]>;
  find(accountId: string, id: string): Promise<PublicAccount | undefined>;
  /** False when the account has one with this name already. The first one becomes the default. */
  add(account: PublicAccount): Promise<boolean>;
  /** Overwrites what can be changed. False when the name is taken. */
  save(account: PublicAccount): Promise<boolean>;
  makeDefault(accountId: string, id: string): Promise<void>;
  /** Gone with its pushes, drafts and their versions; another one becomes the default. */
  remove(accountId: string, id: string): Promise<void>;
}

/** Whose token: the platform's address, the public account, and a sum of the secret it came by. */
export interface TokenKey {
  readonly box: string;
  readonly appid: string;
  /** Part of the key, so that who does not know the secret does not meet the token. */
  readonly secretSum: string;
}

export interface StoredToken {
  readonly sealed: string;
  /** Tells tokens apart without opening them. */
  readonly sum: string;
  readonly refreshAtMs: number;
}

export interface TokensStore {
  find(key: TokenKey): Promise<StoredToken | undefined>;
  /** True for the one caller, of all processes, that shall fetch a token now. */
  takeTurn(key: TokenKey, owner: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Keeps the token and ends the turn. */
  save(key: TokenKey, owner: string, token: StoredToken): Promise<void>;
  endTurn(key: TokenKey, owner: string): Promise<void>;
  /** Only where the stored token is still the one with this sum. */
  drop(key: TokenKey, sum: string): Promise<void>;
}

/** A picture that the platform has: by its id, or by its address inside of articles. */
export interface UploadedFile {
  readonly mediaId: string | null;
  readonly url: string | null;
}

/** `body` is for the text of articles, `material` for covers and image messages. */
export interface UploadKey {
  readonly box: string;
  readonly appid: string;
  readonly use: "body" | "material";
  readonly sha256: string;
}

export interface UploadsStore {
  find(key: UploadKey): Promise<UploadedFile | undefined>;
  save(key: UploadKey, file: UploadedFile, atMs: number): Promise<void>;
  /** The platform does not know this one any more. */
  forget(box: string, appid: string, mediaIds: readonly string[]): Promise<void>;
}

/** Who has taken an `Idempotency-Key` of an account. */
export interface KeyRow {
  readonly requestSum: string;
  readonly draftId: string | null;
  readonly leaseUntilMs: number;
}

/** What of a draft changes beside its articles; absent members stay. */
export type DraftChange = Partial<
  Pick<Draft, "status" | "mediaId" | "pushedVersion" | "publishId" | "publicAccountId">
>;

export interface DraftsStore {
  /**
   * The draft and its first version, and where there is a key, the two bound together. Nothing has
   * happened when the key is somebody else's by now, or when the account's drafts, with all of their
   * versions, would be more than `charsMax`.
   */
  add(
    draft: Draft,
    by: string,
    charsMax: number,
    key?: { readonly key: string; readonly owner: string },
  ): Promise<"added" | "key_lost" | "full">;
  find(accountId: string, id: string): Promise<Draft | undefined>;
  findByMedia(publicAccountId: string, mediaId: string): Promise<Draft | undefined>;
  /** Newest first; `after` is the last id of the page before. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Draft[]>;
  change(id: string, change: DraftChange, atMs: number): Promise<void>;
  /** Calls of a model that were made for a draft that is there already. */
  addWriting(id: string, calls: readonly WritingCall[]): Promise<void>;
  /**
   * A new version. `replaces` is an earlier one that is not kept. "changed" when the draft is not at
   * `base` any more, "full" as with an add.
   */
  saveVersion(
    version: DraftVersion,
    base: number,
    replaces: number | undefined,
    charsMax: number,
  ): Promise<"saved" | "changed" | "full">;
  /** Newest first. */
  versions(draftId: string, limit: number): Promise<readonly DraftVersion[]>;
  findVersion(draftId: string, version: number): Promise<DraftVersion | undefined>;
  /**
   * Keeps the newest `keep` versions, fewer where they are over `charsMax` together, and those that
   * are in the box or on their way there.
   */
  trimVersions(draftId: string, keep: number, charsMax: number): Promise<void>;
  remove(accountId: string, id: string): Promise<void>;

  /** Takes a key, or what has taken it. A reservation whose time is over is taken anew. */
  takeKey(
    accountId: string,
    key: string,
    row: KeyRow,
    owner: string,
    nowMs: number,
  ): Promise<"taken" | KeyRow>;
  freeKey(accountId: string, key: string, owner: string): Promise<void>;
}

/** What changes in a push with a step; absent members stay. */
export type PushStep = Partial<
  Pick<
    Push,
    | "state"
    | "version"
    | "request"
    | "sends"
    | "sentAtMs"
    | "mediaId"
    | "refusal"
    | "doubt"
    | "receipt"
  >
> & {
  /** What the box is searched by; two pushes with one fingerprint are never sent at once. */
  readonly fingerprint?: string;
};

/** A holder of a push: nobody else takes steps until the time is over. */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

export interface PushesStore {
  /**
   * Also marks the draft as on its way. False when the draft has a push that is not over, or any that
   * came after the one of the id `after`, which was the latest when the draft was read.
   */
  add(push: Push, box: string, lease: Lease, after: string | undefined): Promise<boolean>;
  find(id: string): Promise<Push | undefined>;
  latest(draftId: string): Promise<Push | undefined>;
  /** Newest first. */
  list(draftId: string, limit: number): Promise<readonly Push[]>;
  /** Takes a push that nobody holds. Undefined when somebody does, or it is over. */
  take(id: string, lease: Lease, nowMs: number): Promise<Push | undefined>;
  /**
   * Writes a step, and with it what it means for the draft. "lost" when the lease is somebody
   * else's by now; "busy" when another push with the same fingerprint is being sent to the same box,
   * or waits there with an unknown outcome.
   */
  step(
    push: Push,
    step: PushStep,
    lease: Lease,
    atMs: number,
    draft?: DraftChange,
  ): Promise<"done" | "lost" | "busy">;
  release(id: string, owner: string): Promise<void>;
  /** Pushes that a dead process has left between two steps. */
  listAbandoned(nowMs: number, limit: number): Promise<readonly string[]>;
  /** Which of these drafts of a box belong to another push, or to another draft of ours. */
  claimed(
    box: string,
    mediaIds: readonly string[],
    except: { readonly pushId: string; readonly draftId: string },
  ): Promise<ReadonlySet<string>>;
}

export interface DraftBoxStore {
  readonly publicAccounts: PublicAccountsStore;
  readonly tokens: TokensStore;
  readonly uploads: UploadsStore;
  readonly drafts: DraftsStore;
  readonly pushes: PushesStore;
}
