import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  SECRET_STATE,
  type SecretColumns,
  type SecretState,
  stateOf,
} from "../../secret/secret-row.ts";

/** What a copy of the console's file knows of the secret; of an earlier version, it may be nothing, or not be there. */
export function readSecretState(folder: string): SecretState | undefined {
  const path = join(folder, "console.sqlite");
  if (!existsSync(path)) return undefined;
  const db = new Database(path, { readonly: true });
  try {
    const table = "select 1 from sqlite_schema where name = 'installation_secret'";
    if (!db.query(table).get()) return undefined;
    const row = db.query(SECRET_STATE).get() as SecretColumns | null;
    return row ? stateOf(row) : undefined;
  } finally {
    db.close();
  }
}
