import { Database } from "bun:sqlite";
import { join } from "node:path";
import {
  SECRET_STATE,
  type SecretColumns,
  type SecretState,
  stateOf,
} from "../../secret/secret-row.ts";

/** What a copy of the console's file knows of the secret; of tables of an earlier version, it may be nothing. */
export function readSecretState(folder: string): SecretState | undefined {
  const db = new Database(join(folder, "console.sqlite"), { readonly: true });
  try {
    const table = "select 1 from sqlite_schema where name = 'installation_secret'";
    if (!db.query(table).get()) return undefined;
    const row = db.query(SECRET_STATE).get() as SecretColumns | null;
    return row ? stateOf(row) : undefined;
  } finally {
    db.close();
  }
}
