import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { asFullDisk } from "../lib/files/full-disk.ts";

/** Of which version the tables of money are, and which one this program has. */
interface SchemaState {
  readonly found: number;
  readonly known: number;
}

/** What a newer program has only added is not in the way of this one. */
function stateOf(least: number, applied: number, known: number): SchemaState {
  return { found: Math.max(least, Math.min(applied, known)), known };
}

async function stateOfFile(folder: string): Promise<SchemaState | undefined> {
  const { closeFile, openReader } = await import("./sqlite/database.ts");
  const { filesIn, requirePermitted } = await import("./sqlite/files.ts");
  const { MONEY_TABLES } = await import("./sqlite/money-schema.ts");
  const { money: path } = filesIn(folder);
  // What may not be looked into is not without tables.
  requirePermitted(folder);
  if (!existsSync(path)) return undefined;
  const db = openReader(path);
  try {
    const { user_version: least } = db.query("pragma user_version").get() as {
      user_version: number;
    };
    const isCounted = db.query("select 1 from sqlite_master where name = 'applied_versions'").get();
    const counted = "select count(*) as count from applied_versions where room = ?";
    const { count } = isCounted
      ? (db.query(counted).get(MONEY_TABLES.room) as { count: number })
      : { count: 0 };
    return stateOf(least, count, MONEY_TABLES.versions.length);
  } catch (thrown) {
    throw asFullDisk(folder, thrown);
  } finally {
    closeFile(db);
  }
}

async function stateOfDatabase(url: string, lockWaitMs: number): Promise<SchemaState | undefined> {
  const { Connections } = await import("./postgres/connections.ts");
  const { TABLES } = await import("./postgres/schema.ts");
  const connections = new Connections(url, 1, lockWaitMs);
  try {
    const isThere = async (table: string) => {
      const text = "select cast(to_regclass($1) as text) as name";
      return Boolean((await connections.read<{ name: string | null }>(text, [table]))[0]?.name);
    };
    if (!(await isThere("schema_version"))) return undefined;
    const [row] = await connections.read<{ version: number }>(
      "select version from schema_version",
      [],
    );
    const counted =
      "select cast(count(*) as integer) as count from applied_versions where room = $1";
    const [applied] = (await isThere("applied_versions"))
      ? await connections.read<{ count: number }>(counted, [TABLES.room])
      : [];
    return stateOf(Number(row?.version ?? 0), Number(applied?.count ?? 0), TABLES.versions.length);
  } finally {
    await connections.close();
  }
}

/** Looked at without changing anything, which to open the store would; undefined where there are no tables. */
export function schemaState({
  databaseUrl,
  dataDir,
  limits,
}: Config): Promise<SchemaState | undefined> {
  return databaseUrl === undefined
    ? stateOfFile(dataDir)
    : stateOfDatabase(databaseUrl, limits.lock_wait_ms);
}
