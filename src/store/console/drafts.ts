import type { DraftBoxStore } from "../../drafts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { GrantRows } from "./drafts-access.ts";
import { PublicAccountRows } from "./drafts-accounts.ts";
import { ErrandRows } from "./drafts-errands.ts";
import { KeyRows } from "./drafts-keys.ts";
import { PushRows } from "./drafts-pushes.ts";
import { DraftRows } from "./drafts-rows.ts";
import { TokenRows, UploadRows } from "./drafts-wire.ts";

/** The tables of drafts behind the ports of their room. */
export function openDraftBoxStore(sql: Sql): DraftBoxStore {
  return {
    publicAccounts: new PublicAccountRows(sql),
    tokens: new TokenRows(sql),
    grants: new GrantRows(sql),
    uploads: new UploadRows(sql),
    drafts: new DraftRows(sql),
    keys: new KeyRows(sql),
    pushes: new PushRows(sql),
    errands: new ErrandRows(sql),
  };
}
