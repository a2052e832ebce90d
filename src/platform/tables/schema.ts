import { type Expression, sql } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import type { PublicAccount } from "../account.ts";
import type { StoredMedia } from "../media/media.ts";
import type { Publish, PublishOutcome } from "../publishing/publication.ts";

interface AccountsTable {
  appid: string;
  owner: string;
  name: string;
  /** Sealed. */
  secret: string;
  sandbox: Flag;
  type: PublicAccount["type"];
  verified: Flag;
  comment_right: Flag;
  product_right: PublicAccount["product"];
  ip_list: string;
  frozen: Flag;
  callback_url: string | null;
  created_at: number;
  position: number;
}

interface TokensTable {
  hash: string;
  sealed: string;
  appid: string;
  kind: "normal" | "stable" | "third-party" | "cloud" | "refresh";
  sets: string;
  created_at: number;
  expires_at: number;
  superseded_at: number | null;
  forced: Flag;
  position: number;
}

/** One call of the wire, without its secrets. */
export interface CallRecord {
  rid: string;
  appid: string | null;
  at: number;
  cost_ms: number;
  method: string;
  path: string;
  url: string;
  request_body: string;
  response_body: string;
  client_ip: string;
  errcode: number;
  /** The field that was refused, which the wire does not tell. */
  field: string | null;
}

interface DraftsTable {
  media_id: string;
  appid: string;
  chars: number;
  created_at: number;
  updated_at: number;
  position: number;
}

/** Product cards that were given out. */
interface ProductsTable {
  key: string;
  appid: string;
  product_id: string;
  article_type: string;
  card_type: number;
  created_at: number;
}

interface PublishesTable {
  publish_id: number;
  appid: string;
  /** The draft. */
  media_id: string;
  origin: string;
  status: Publish["status"];
  outcome: PublishOutcome;
  failed: string;
  article_id: string | null;
  articles: number;
  submitted_at: number;
  due_at: number;
  pushes_left: number;
  push_at: number;
}

interface PublicationsTable {
  article_id: string;
  appid: string;
  sent: Flag;
  mid: number;
  articles: string;
  deleted: string;
  gone: Flag;
  client_msg_id: string | null;
  created_at: number;
  updated_at: number;
  position: number;
}

/** The columns as both engines give them back. */
export interface PlatformTables {
  platform_accounts: AccountsTable;
  platform_tokens: TokensTable;
  platform_quotas: { appid: string; period: string; name: string; used: number };
  platform_calls: CallRecord;
  platform_drafts: DraftsTable;
  platform_articles: { media_id: string; position: number; submitted: string; stored: string };
  platform_products: ProductsTable;
  platform_media: StoredMedia & { position: number };
  platform_media_files: { media_id: string; data: string };
  platform_publishes: PublishesTable;
  platform_publications: PublicationsTable;
}

/** The position after the highest of an account's; it tells two of one moment apart. */
export function nextPosition(
  table: "platform_drafts" | "platform_media" | "platform_publications",
  appid: string,
) {
  const highest = sql`select max(${sql.ref("position")}) from ${sql.table(table)} where appid = ${appid}`;
  return sql<number>`coalesce((${highest}), 0) + 1`;
}

/** The position after the highest; it tells two of one moment apart. */
export function after(highest: Expression<number>) {
  return sql<number>`coalesce(${highest}, 0) + 1`.as("next");
}
