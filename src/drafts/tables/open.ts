import type { Sql } from "../../lib/sql/sql.ts";
import { AuditOutboxRows } from "./audit-outbox.ts";
import { VersionRows } from "./draft-versions.ts";
import { DraftRows } from "./drafts.ts";
import { ExclusiveJobRows } from "./exclusive-jobs.ts";
import { GrantRows } from "./grants.ts";
import { KeyRows } from "./keys.ts";
import { PublicAccountRows } from "./public-accounts.ts";
import { PushRows } from "./pushes.ts";
import { TokenRows } from "./tokens.ts";
import { UploadRows } from "./uploads.ts";

/** The tables of drafts. */
export function openDraftBoxStore(sql: Sql) {
  return {
    publicAccounts: new PublicAccountRows(sql),
    tokens: new TokenRows(sql),
    grants: new GrantRows(sql),
    uploads: new UploadRows(sql),
    drafts: new DraftRows(sql),
    versions: new VersionRows(sql),
    keys: new KeyRows(sql),
    pushes: new PushRows(sql),
    exclusiveJobs: new ExclusiveJobRows(sql),
    auditOutbox: new AuditOutboxRows(sql),
  };
}

export type DraftBoxStore = ReturnType<typeof openDraftBoxStore>;
