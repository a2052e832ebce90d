import { type Generated, sql } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import type { DraftAuditRecord } from "../audit-record.ts";
import type { CredentialKind } from "../contract/access-form.ts";
import type { PushState } from "../contract/push.ts";
import type { Draft, PublicAccount, Push } from "../draft.ts";

interface PublicAccountsTable {
  id: string;
  account_id: string;
  name: string;
  kind: PublicAccount["kind"];
  appid: string;
  sealed_secret: string;
  platform_url: string | null;
  is_default: Flag;
  theme: string | null;
  author: string | null;
  publish_allowed: Flag;
  created_at: number;
}

/** Only for public accounts that have more than an AppSecret. */
interface AccessTable {
  public_account_id: string;
  credential: CredentialKind;
  proxy_origin: string | null;
  sealed_proxy: string | null;
  source_origin: string | null;
  sealed_source: string | null;
  component_appid: string | null;
  sealed_component_secret: string | null;
  sealed_token: string | null;
  token_until: number;
  sealed_ticket: string | null;
  ticket_at: number;
  sealed_refresh: string | null;
}

interface TokensTable {
  box: string;
  appid: string;
  secret_sum: string;
  sealed: string | null;
  sum: string | null;
  refresh_at: number;
  turn_owner: string | null;
  turn_until: number;
}

interface UploadsTable {
  box: string;
  appid: string;
  used_for: "body" | "material";
  sha256: string;
  media_id: string | null;
  url: string | null;
  created_at: number;
}

interface DraftsTable {
  id: string;
  account_id: string;
  public_account_id: string;
  articles: string;
  version: number;
  pushed_version: number | null;
  media_id: string | null;
  status: Draft["status"];
  publish_id: string | null;
  publish_doubt_until: number | null;
  writing: string;
  created_at: number;
  updated_at: number;
}

interface VersionsTable {
  draft_id: string;
  version: number;
  articles: string;
  chars: number;
  /** Null in what earlier releases have written, until a list shows it. */
  lines: string | null;
  saved_by: string;
  created_at: number;
}

interface KeysTable {
  account_id: string;
  idem_key: string;
  request_sum: string;
  draft_id: string | null;
  owner: string;
  lease_until: number;
  failure: string | null;
  answer: string | null;
  begun_by: string | null;
}

interface AuditOutboxTable {
  id: string;
  account_id: string;
  draft_id: string;
  action: DraftAuditRecord["action"];
  done_by: string;
  detail: string;
  created_at: number;
}

interface PushesTable {
  id: string;
  account_id: string;
  draft_id: string;
  public_account_id: string;
  box: string;
  kind: Push["kind"];
  version: number;
  state: PushState;
  request: string | null;
  fingerprint: string | null;
  ends: Generated<number>;
  sends: number;
  sent_at: number | null;
  media_id: string | null;
  refusal: string | null;
  doubt: string | null;
  receipt: string | null;
  begun_by: string | null;
  owner: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
}

/** The columns as both engines give them back. */
export interface DraftsTables {
  public_accounts: PublicAccountsTable;
  public_account_access: AccessTable;
  draft_tokens: TokensTable;
  draft_uploads: UploadsTable;
  drafts: DraftsTable;
  draft_versions: VersionsTable;
  draft_keys: KeysTable;
  draft_pushes: PushesTable;
  draft_errands: {
    draft_id: string;
    owner: string;
    lease_until: number;
    submitted_at: number | null;
  };
  draft_deeds: AuditOutboxTable;
}

/** What belongs to a draft and goes with it. */
export const DRAFT_TABLES = [
  "draft_versions",
  "draft_pushes",
  "draft_keys",
  "draft_errands",
] as const;

// Of pushes, in the very words of their indexes.
export const ADD = sql.lit<Push["kind"]>("add");
const words = (...states: readonly PushState[]) => states.map((state) => sql.lit(state));
export const RUNNING = words("planned", "uploading", "sending");
export const OPEN = words("planned", "uploading", "sending", "unknown");
/** Something may be in the box of it, and its draft does not have it yet. */
export const SENT = words("sending", "unknown");
