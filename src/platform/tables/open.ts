import type { Sql } from "../../lib/sql/sql.ts";
import { AccountRows } from "./accounts.ts";
import { CallRows } from "./calls.ts";
import { DraftRows } from "./drafts.ts";
import { ProductRows } from "./products.ts";
import { Quotas } from "./quotas.ts";
import { TokenRows } from "./tokens.ts";

/** What every platform keeps; uploads and what is published have tables of their own. */
export function openPlatformStore(sql: Sql) {
  return {
    accounts: new AccountRows(sql),
    tokens: new TokenRows(sql),
    quotas: new Quotas(sql),
    calls: new CallRows(sql),
    drafts: new DraftRows(sql),
    products: new ProductRows(sql),
  };
}

export type PlatformStore = ReturnType<typeof openPlatformStore>;
