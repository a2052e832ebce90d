export interface PublicAccount {
  readonly appid: string;
  readonly name: string;
  readonly type: "subscription" | "service" | "other";
  readonly verified: boolean;
  readonly comment_right: boolean;
  readonly product_right: "ok" | "restricted" | "off";
  readonly ip_list: readonly string[];
  readonly frozen: boolean;
  readonly created_at: string;
  readonly may_change: boolean;
}

/** As the list has it: with the name of the account that it belongs to. */
export interface ListedAccount extends PublicAccount {
  readonly owner: string | null;
}

export type QuotaName =
  | "draft_add"
  | "draft_update"
  | "draft_get"
  | "draft_batchget"
  | "media_upload"
  | "publish_submit"
  | "mass_send";

export interface AccountState extends PublicAccount {
  readonly drafts: number;
  readonly published: number;
  readonly quotas: readonly {
    readonly name: QuotaName;
    readonly used: number;
    readonly max: number;
  }[];
}

export interface DraftRow {
  readonly media_id: string;
  readonly type: "news" | "newspic";
  readonly titles: readonly string[];
  readonly digest: string;
  readonly cover_url: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A field of an article: as it was sent, and as it is kept. */
export interface FieldPair {
  readonly name: string;
  readonly submitted: string | null;
  readonly stored: string | null;
  readonly fate: "same" | "changed" | "filled" | "dropped";
}

export interface LineChange {
  readonly kind: "same" | "dropped" | "added";
  readonly depth: number;
  readonly text: string;
}

export interface Article {
  readonly type: "news" | "newspic";
  readonly title: string;
  readonly author: string;
  readonly digest: string;
  readonly fields: readonly FieldPair[];
  readonly lines: readonly LineChange[];
  readonly lines_left_out: number;
  readonly dropped: number;
  readonly added: number;
}

export interface Draft {
  readonly media_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly articles: readonly Article[];
}

export interface Publication {
  readonly article_id: string;
  readonly published_at: string;
  readonly articles: readonly { readonly title: string; readonly url: string }[];
}
