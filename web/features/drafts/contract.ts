// What the console's API says about drafts, public accounts and pushes.
import type { ArticleDoc } from "../../../src/drafts/contract/article.ts";
import type { Decimal, Instant } from "../../lib/contract.ts";

export type DraftStatus =
  | "local"
  | "pushing"
  | "in_box"
  | "refused"
  | "unknown"
  | "removed"
  | "publishing"
  | "published";

/** A call of a model that wrote a part of a draft. */
export interface WritingCall {
  readonly request_id: string;
  readonly model: string;
  /** Null where the key that paid shows no costs. */
  readonly cost: Decimal | null;
  readonly purpose: "write" | "shorten";
}

/** A draft as lists have it. */
export interface DraftLine {
  readonly id: string;
  readonly public_account_id: string;
  readonly articles: readonly Pick<ArticleDoc, "type" | "title">[];
  readonly version: number;
  readonly pushed_version: number | null;
  readonly media_id: string | null;
  readonly status: DraftStatus;
  readonly writing: readonly WritingCall[];
  readonly writing_cost: Decimal | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface Draft extends DraftLine {
  readonly articles: readonly ArticleDoc[];
}

export interface DraftVersion {
  readonly version: number;
  readonly by: string;
  readonly title: string;
  readonly created_at: Instant;
}

export interface Refusal {
  readonly errcode: number | null;
  readonly errmsg: string;
  readonly rid: string | null;
  readonly class: string;
  readonly field: string | null;
  readonly fix: string;
  readonly ip: string | null;
  /** The picture that was refused, where it was one. */
  readonly picture?: string;
}

/** Where drafts of a public account go. */
export interface Destination {
  readonly name: string;
  readonly appid: string;
  readonly sandbox: boolean;
  readonly platform_url: string | null;
}

export interface Receipt {
  readonly media_id: string;
  readonly appid: string;
  readonly sandbox: boolean;
  /** Null in receipts of earlier versions. */
  readonly destination: Destination | null;
  readonly url: string | null;
  readonly rids: readonly string[];
  readonly content_bytes: number;
  readonly uploaded_files: number;
  readonly uploaded_bytes: number;
  readonly reused_files: number;
  readonly sends: number;
  readonly reconciled: boolean;
}

export type PushState = "planned" | "uploading" | "sending" | "done" | "refused" | "unknown";

export interface Push {
  readonly id: string;
  readonly kind: "add" | "update";
  readonly version: number;
  readonly state: PushState;
  readonly media_id: string | null;
  readonly refusal: Refusal | null;
  readonly doubt: string | null;
  readonly receipt: Receipt | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface Counted {
  readonly characters: number;
  readonly units: number;
}

/** Something that the platform would refuse or change. */
export interface Problem {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly article: number;
  readonly field: string;
  readonly limit?: number | string;
  readonly found?: number | string;
  /** Of a picture: its address or file as it was written, and the line of the text where it stands. */
  readonly picture?: string;
  readonly line?: number;
  readonly message: string;
  /** What was taken out of the text, and the lines in which it stands. */
  readonly taken?: readonly { readonly name: string; readonly lines: readonly number[] }[];
  readonly fix?: {
    readonly kind: string;
    readonly value?: string;
    readonly members?: Partial<ArticleDoc>;
  };
}

export interface Preview {
  readonly sandbox: boolean;
  readonly articles: readonly {
    readonly digest: string;
    readonly counts: { readonly text: Counted; readonly content_bytes: number };
  }[];
  readonly problems: readonly Problem[];
}

export interface ArticleTheme {
  readonly id: string;
  readonly name: { readonly en: string; readonly zh: string };
  readonly about: { readonly en: string; readonly zh: string };
  readonly colours: { readonly ink: string; readonly paper: string; readonly accent: string };
}

/** How the token of a public account is had. */
export const CREDENTIALS = ["secret", "supplied", "component"] as const;

export interface PublicAccount {
  readonly id: string;
  readonly name: string;
  readonly kind: "built-in" | "wechat";
  readonly appid: string;
  readonly platform_url: string | null;
  readonly credential: (typeof CREDENTIALS)[number];
  /** Only the origins of the proxy and of the token's source: the rest is secret. */
  readonly proxy: string | null;
  readonly token_source: string | null;
  readonly is_default: boolean;
  readonly theme: string | null;
  readonly author: string | null;
  readonly publish_allowed: boolean;
  /** Allowed for this public account, and switched on for the installation. */
  readonly can_publish: boolean;
  readonly created_at: Instant;
  /** The page that shows its box, where it is on the built-in platform and that has one. */
  readonly material_path: string | null;
}

const CHECKS = [
  "proxy",
  "credential",
  "ip",
  "draft_right",
  "publish_right",
  "quota",
  "destination",
] as const;

export interface Finding {
  readonly check: (typeof CHECKS)[number];
  readonly state: "ok" | "failed" | "unknown" | "skipped" | "off" | "warning";
  readonly message: string;
  /** Which of several causes it has. */
  readonly reason: string | null;
  readonly fix: string | null;
  readonly ip: string | null;
  readonly errcode: number | null;
  readonly rid: string | null;
}

export interface Diagnosis {
  readonly destination: Destination;
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  readonly drafts: number | null;
  readonly quota: { readonly limit: number; readonly used: number; readonly left: number } | null;
}

/** A draft as it lies in the platform's box, whoever put it there. */
export interface BoxItem {
  readonly media_id: string;
  readonly titles: readonly string[];
  readonly updated_at: Instant;
  /** The draft of ours that it is, where it is known here. */
  readonly draft_id: string | null;
}

export interface BoxPage {
  readonly total: number;
  readonly items: readonly BoxItem[];
}

export interface ReadBack {
  readonly in_box: boolean;
  readonly url: string | null;
  readonly differences: readonly {
    readonly article: number;
    readonly field: string;
    readonly submitted: string;
    readonly stored: string;
  }[];
}

/** What a model has written. */
export interface Written {
  readonly article: ArticleDoc;
  readonly writing: readonly WritingCall[];
  readonly writing_cost: Decimal | null;
  /** What it has become, where it was not written for a draft. */
  readonly draft_id?: string;
}
