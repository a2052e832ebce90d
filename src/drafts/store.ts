import type { Draft, DraftVersion, PublicAccount, Push, WritingCall } from "./draft.ts";
import type { KeptFault } from "./push/kept-fault.ts";

/** What a third party has for a public account, sealed. */
export interface HandedOver {
  readonly sealedRefresh: string;
}

export interface PublicAccountsStore {
  /** Newest last. */
  list(accountId: string): Promise<readonly PublicAccount[]>;
  find(accountId: string, id: string): Promise<PublicAccount | undefined>;
  /**
   * False when the account has one with this name already. It becomes the default where it says so,
   * or is the first one. What was handed over with it is there with it, or neither is.
   */
  add(account: PublicAccount, handed?: HandedOver): Promise<boolean>;
  /** Overwrites what can be changed, all or nothing of it. False when the name is taken. */
  save(account: PublicAccount, handed?: HandedOver): Promise<boolean>;
  makeDefault(accountId: string, id: string): Promise<void>;
  /**
   * Gone with its pushes, drafts and their versions; another one, a real one first, becomes the
   * default. False, and nothing is gone, while anything is done with one of its drafts.
   */
  remove(accountId: string, id: string, nowMs: number): Promise<boolean>;
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
  /** False when the turn is somebody else's by now. */
  renewTurn(key: TokenKey, owner: string, untilMs: number): Promise<boolean>;
  /** Keeps the token and ends the turn. */
  save(key: TokenKey, owner: string, token: StoredToken): Promise<void>;
  endTurn(key: TokenKey, owner: string): Promise<void>;
  /** Only where the stored token is still the one with this sum. */
  drop(key: TokenKey, sum: string): Promise<void>;
}

/** What is handed to us for a public account, and changes without its owner. All of it is sealed. */
export interface AccountGrants {
  readonly sealedToken: string | null;
  readonly tokenUntilMs: number;
  /** The platform's `component_verify_ticket`, as it was pushed last for any account of the component. */
  readonly sealedTicket: string | null;
  readonly ticketAtMs: number;
  readonly sealedRefresh: string | null;
}

/** Only for public accounts that have an `access`. */
export interface GrantsStore {
  find(publicAccountId: string): Promise<AccountGrants | undefined>;
  saveToken(publicAccountId: string, sealed: string, untilMs: number): Promise<void>;
  /** Only where it is still this one. */
  dropToken(publicAccountId: string, sealed: string): Promise<void>;
  /** For all public accounts of a Faregate account that this component has. */
  saveTicket(
    accountId: string,
    componentAppid: string,
    sealed: string,
    atMs: number,
  ): Promise<void>;
  /** Where `before` is given, only in its place: nobody's newer one is lost. */
  saveRefresh(publicAccountId: string, sealed: string, before?: string): Promise<void>;
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

/** The right to make what an `Idempotency-Key` is for, for a while. */
export interface Ticket {
  readonly accountId: string;
  readonly key: string;
  readonly owner: string;
}

/** What a draft is bound to, and what is told beside it to whoever comes with the key again, as JSON. */
export interface DraftKey extends Pick<Ticket, "key" | "owner"> {
  readonly answer?: string | undefined;
}

/** Who has taken an `Idempotency-Key` of an account. */
export interface KeyRow {
  readonly requestSum: string;
  readonly draftId: string | null;
  readonly owner: string;
  readonly leaseUntilMs: number;
  /** Why nothing came of it. Whoever waited for that owner is told; others take the key anew. */
  readonly failure: KeptFault | null;
  /** What was made under it beside a draft, or in its place, as JSON. */
  readonly answer: string | null;
}

export interface KeysStore {
  /**
   * Takes a key, or tells what has taken it. One whose time is over or that came to nothing is taken
   * anew, but not by who has waited for this very owner and finds a failure.
   */
  take(
    ticket: Ticket,
    requestSum: string,
    untilMs: number,
    nowMs: number,
    waitedFor?: string,
  ): Promise<"taken" | KeyRow>;
  /** False when the key is somebody else's by now. */
  renew(ticket: Ticket, untilMs: number): Promise<boolean>;
  /** What was made under it where that is no draft. Kept until then, if the key is still this owner's. */
  answer(ticket: Ticket, answer: string, keptUntilMs: number): Promise<void>;
  /** Nothing came of it. */
  fail(ticket: Ticket, failure: KeptFault, nowMs: number): Promise<void>;
}

/** A draft as it was when the platform was asked about it. */
export type SeenDraft = Pick<Draft, "id" | "status" | "mediaId">;

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
    key?: DraftKey,
  ): Promise<"added" | "key_lost" | "full">;
  /**
   * A draft that was found in a box, with its media id. The one that has this media id already where
   * there is one; "busy" when a push has found it and is not over; "full" as with an add.
   */
  addFound(
    draft: Draft & { readonly mediaId: string },
    by: string,
    box: string,
    charsMax: number,
  ): Promise<Draft | "busy" | "full">;
  find(accountId: string, id: string): Promise<Draft | undefined>;
  findByMedia(publicAccountId: string, mediaId: string): Promise<Draft | undefined>;
  /** Newest first; `after` is the last id of the page before. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Draft[]>;
  change(id: string, change: DraftChange, atMs: number): Promise<void>;
  /** To another public account. False for one that is in a box, on its way there, or may be. */
  move(id: string, publicAccountId: string, atMs: number): Promise<boolean>;
  /** What was found out about a draft in a box, if that is still what lies there and nobody pushes it. */
  changeSeen(seen: SeenDraft, change: DraftChange, atMs: number): Promise<void>;
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
  /** With all that belongs to it. False when the errand is not this owner's any more. */
  remove(accountId: string, id: string, owner: string): Promise<boolean>;
}

/** What changes in a push with a step; absent members stay. */
export type PushStep = Partial<
  Pick<
    Push,
    | "state"
    | "version"
    | "request"
    | "ends"
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
   * Also marks the draft as on its way. "busy" when the draft has a push that is not over, or any that
   * came after the one of the id `after`, which was the latest when the draft was read, or an errand
   * is done with it; "stale" when it is gone, belongs to another public account by now, or does not lie
   * any more where it lay when it was read (`mediaId`; absent for one that was in no box).
   */
  add(
    push: Push,
    box: string,
    lease: Lease,
    after: string | undefined,
    mediaId?: string | null,
  ): Promise<"added" | "busy" | "stale">;
  find(id: string): Promise<Push | undefined>;
  latest(draftId: string): Promise<Push | undefined>;
  /** Newest first. */
  list(draftId: string, limit: number): Promise<readonly Push[]>;
  /** The newest that was sent more than once to add it; what was sent is kept with it. */
  latestSentTwice(draftId: string): Promise<Push | undefined>;
  /** Takes a push that nobody holds. Undefined when somebody does, or it is over, or an errand is on. */
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
  /** Pushes that may have put something into the box of which nobody was told yet. */
  listSent(box: string): Promise<readonly string[]>;
  /** What pushes of this draft have put into the box over time, less what is another draft's now. */
  added(draftId: string): Promise<readonly string[]>;
  /** Which of these drafts of a box belong to another push, or to another draft of ours. */
  claimed(
    box: string,
    mediaIds: readonly string[],
    except: { readonly pushId: string; readonly draftId: string },
  ): Promise<ReadonlySet<string>>;
}

/** Who deletes or publishes a draft: meanwhile nobody pushes it, and nobody does either while it is pushed. */
export interface ErrandsStore {
  /** "busy" while a push of the draft runs or has been left, or somebody else is on an errand. */
  take(draftId: string, lease: Lease, nowMs: number): Promise<"taken" | "busy" | "gone">;
  /** False when it is somebody else's by now. */
  renew(draftId: string, lease: Lease): Promise<boolean>;
  end(draftId: string, owner: string): Promise<void>;
}

export interface DraftBoxStore {
  readonly publicAccounts: PublicAccountsStore;
  readonly tokens: TokensStore;
  readonly grants: GrantsStore;
  readonly uploads: UploadsStore;
  readonly drafts: DraftsStore;
  readonly keys: KeysStore;
  readonly pushes: PushesStore;
  readonly errands: ErrandsStore;
}
