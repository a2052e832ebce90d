import type { AccountChanges, PublicAccount } from "./account.ts";
import type { BoxedArticle, BoxedDraft } from "./draftbox/draft.ts";
import type { TokenGrant } from "./endpoint.ts";

/** An account with its secret, sealed. */
export interface KeptAccount {
  readonly account: PublicAccount;
  readonly sealedSecret: string;
  /** The one that its owner has been given; there may be others. */
  readonly isSandbox: boolean;
}

export interface AccountsStore {
  /** False when the appid is taken, or the owner has a sandbox already and this is another. */
  add(kept: KeptAccount): Promise<boolean>;
  find(appid: string): Promise<KeptAccount | undefined>;
  findSandbox(owner: string): Promise<KeptAccount | undefined>;
  /** Of one owner, or all; oldest first. */
  list(owner: string | undefined): Promise<readonly KeptAccount[]>;
  /** False when there is no such account. */
  change(appid: string, changes: AccountChanges): Promise<boolean>;
  /** The sandbox of one owner becomes that of another, who has none. */
  handOver(fromOwner: string, toOwner: string): Promise<void>;
}

/** A token as it is kept: findable by its hash, readable again only with the vault. */
export interface KeptToken {
  readonly hash: string;
  readonly sealed: string;
  readonly appid: string;
  readonly kind: TokenGrant["kind"] | "refresh";
  readonly sets: readonly number[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** From when on a newer one has its place; the old one may live on for a while. */
  readonly supersededAtMs: number | undefined;
  /** Whether it was asked for before its time. */
  readonly forced: boolean;
}

export interface TokensStore {
  find(hash: string): Promise<KeptToken | undefined>;
  add(token: KeptToken): Promise<void>;
  /** Adds one, and the others of its kind count as superseded from its birth on. */
  supersede(token: KeptToken): Promise<void>;
  /** The newest stable token that counts, and when the last was forced. */
  newestStable(
    appid: string,
  ): Promise<{ token: KeptToken | undefined; forcedAtMs: number | undefined }>;
  /**
   * Adds a stable token unless another has become the newest since `seen` was; then that is it.
   * With `forced`, those before it are superseded.
   */
  addStable(token: KeptToken, seen: string | undefined): Promise<KeptToken>;
  removeExpired(beforeMs: number): Promise<void>;
}

export interface QuotasStore {
  /** One more of `name` in the period, unless `max` is reached: false then. */
  count(appid: string, period: string, name: string, max: number): Promise<boolean>;
  used(appid: string, period: string, name: string): Promise<number>;
  setUsed(appid: string, period: string, name: string, used: number): Promise<void>;
  clear(appid: string, period: string): Promise<void>;
}

/** One call of the wire, without its secrets. */
export interface CallRecord {
  readonly rid: string;
  readonly appid: string | undefined;
  readonly atMs: number;
  readonly costMs: number;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly clientIp: string;
  readonly errcode: number;
  /** The field that was refused, which the wire does not tell. */
  readonly field: string | undefined;
}

export interface CallsStore {
  add(call: CallRecord): Promise<void>;
  find(rid: string): Promise<CallRecord | undefined>;
  /** Newest first; of one account, or all. */
  list(appid: string | undefined, limit: number): Promise<readonly CallRecord[]>;
  removeBefore(ms: number): Promise<void>;
  /** Leaves the newest `keep` calls of an account, or of those that were nobody's. */
  trim(appid: string | undefined, keep: number): Promise<void>;
}

export interface DraftsStore {
  /** False when the account would keep more than `charsMax` with it; then it is not kept. */
  add(appid: string, draft: BoxedDraft, charsMax: number): Promise<boolean>;
  find(appid: string, mediaId: string): Promise<BoxedDraft | undefined>;
  count(appid: string): Promise<number>;
  /** The last changed first. */
  list(appid: string, offset: number, limit: number): Promise<readonly BoxedDraft[]>;
  /** "gone" when there is no such draft or no such article in it, "full" as with an add. */
  replace(
    appid: string,
    mediaId: string,
    index: number,
    article: BoxedArticle,
    charsMax: number,
    nowMs: number,
  ): Promise<"replaced" | "gone" | "full">;
  /** False when it was not there. */
  remove(appid: string, mediaId: string): Promise<boolean>;
}

/** A product card that was given out, by its key. */
export interface ProductCard {
  readonly key: string;
  readonly appid: string;
  readonly productId: string;
  readonly articleType: string;
  readonly cardType: number;
}

export interface ProductsStore {
  /** The card's key, the old one if it was given out before. */
  add(card: ProductCard, nowMs: number): Promise<string>;
  has(appid: string, key: string): Promise<boolean>;
}

export interface PlatformStore {
  readonly accounts: AccountsStore;
  readonly tokens: TokensStore;
  readonly quotas: QuotasStore;
  readonly calls: CallsStore;
  readonly drafts: DraftsStore;
  readonly products: ProductsStore;
}
