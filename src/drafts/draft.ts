import type { DoneBy } from "./audit-record.ts";
import type { CredentialKind } from "./contract/access-form.ts";
import type { ArticleDoc } from "./contract/article.ts";
import type { DraftStatus } from "./contract/draft.ts";
import type { Problem } from "./contract/preview.ts";
import type { Difference, PlatformRefusal, PushState } from "./contract/push.ts";
import type { Destination } from "./destination.ts";

/** What a public account has beside an AppSecret. Origins are what may be shown of what is sealed. */
export interface PublicAccountAccess {
  readonly credential: CredentialKind;
  readonly proxyOrigin: string | null;
  /** The whole address of the proxy that the platform is called by, with its password. */
  readonly sealedProxy: string | null;
  readonly sourceOrigin: string | null;
  /** Where tokens are asked for, and with what. */
  readonly sealedSource: string | null;
  readonly componentAppid: string | null;
  readonly sealedComponentSecret: string | null;
}

/** An account of the platform that a Faregate account writes for. Its secret is sealed. */
export interface PublicAccount {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `built-in` is this installation's own platform, where nobody else reads along. */
  readonly kind: "built-in" | "wechat";
  readonly appid: string;
  /** The sealed empty text where the token comes by another way. */
  readonly sealedSecret: string;
  /** Null for the built-in one, whose address is only known while it runs. */
  readonly platformUrl: string | null;
  readonly isDefault: boolean;
  readonly theme: string | null;
  readonly author: string | null;
  readonly publishAllowed: boolean;
  readonly createdAtMs: number;
  /** Absent where there is nothing but the AppSecret. */
  readonly access?: PublicAccountAccess;
  /** Not stored. Of a built-in one: the name of a real one that its drafts could go to instead. */
  readonly realBeside?: string;
}

/** A call of a model that wrote a part of the draft, as its own receipt has it. */
export interface WritingCall {
  readonly requestId: string;
  readonly model: string;
  /** Dollars, as a decimal. */
  readonly cost: string;
  readonly purpose: "write" | "shorten";
}

export interface Draft {
  readonly id: string;
  readonly accountId: string;
  readonly publicAccountId: string;
  readonly articles: readonly ArticleDoc[];
  /** Grows with every change; a version that was replaced soon after it was made is not kept. */
  readonly version: number;
  /** The version that is in the box, or was. */
  readonly pushedVersion: number | null;
  readonly mediaId: string | null;
  readonly status: DraftStatus;
  readonly publishId: string | null;
  /** So long one that is being published, without an id of that, may be published or not. */
  readonly publishDoubtUntilMs: number | null;
  readonly writing: readonly WritingCall[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What lists show of an article. */
export type ArticleLine = Pick<ArticleDoc, "type" | "title" | "author" | "digest">;

/** A draft in a list: without its texts and pictures, which are many megabytes. */
export interface DraftLine extends Omit<Draft, "articles"> {
  readonly articles: readonly ArticleLine[];
}

export interface DraftVersion {
  readonly draftId: string;
  readonly version: number;
  readonly articles: readonly ArticleDoc[];
  /** Who saved it: a name, or what a key is called. */
  readonly by: string;
  readonly createdAtMs: number;
}

/** The same in a list. */
export interface VersionLine extends Omit<DraftVersion, "articles"> {
  /** Of its first article. */
  readonly title: string;
}

/** What a push ended with, as it is shown and kept. */
export interface Receipt {
  readonly mediaId: string;
  readonly publicAccountId: string;
  readonly appid: string;
  readonly sandbox: boolean;
  /** Absent in receipts of earlier versions. */
  readonly destination?: Destination;
  /** A link that shows the draft for some time. */
  readonly url: string | null;
  /** Request ids of the platform met on the way, for its support. */
  readonly rids: readonly string[];
  readonly contentBytes: number;
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  /** Pictures that the platform had already from an earlier push. */
  readonly reusedFiles: number;
  /** How often it was sent; more than once only after the box was read and did not have it. */
  readonly sends: number;
  /** The answer was lost and the draft was found by reading the box. */
  readonly reconciled: boolean;
  readonly warnings: readonly Problem[];
  /** How the box differs from what was sent. Receipts of before have none. */
  readonly differences?: readonly Difference[];
}

/** One way of a version into the box. Its row is written before each step is taken. */
export interface Push {
  readonly id: string;
  readonly accountId: string;
  readonly draftId: string;
  readonly publicAccountId: string;
  readonly kind: "add" | "update";
  readonly version: number;
  readonly state: PushState;
  /** The body of the call, as it is sent and as the box is read for it. */
  readonly request: string | null;
  /** How often somebody has left it done, refused or unknown: tells one such end from the next. */
  readonly ends: number;
  readonly sends: number;
  readonly sentAtMs: number | null;
  /** Known once the platform has said it, even while the push is not done. */
  readonly mediaId: string | null;
  readonly refusal: PlatformRefusal | null;
  /** Why the outcome is not known. */
  readonly doubt: string | null;
  readonly receipt: Receipt | null;
  /** Who began it, or has taken it up since it was in doubt. Absent in pushes of earlier versions. */
  readonly by?: DoneBy | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
