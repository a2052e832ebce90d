// The tables of programs that are older or newer than this one.
import { join } from "node:path";
import type { RoomTables } from "../../src/lib/sql/sql.ts";
import { Connections } from "../../src/store/postgres/connections.ts";
import { migrate as migrateDatabase } from "../../src/store/postgres/migrate.ts";
import { TABLES } from "../../src/store/postgres/schema.ts";
import { migrate as migrateFile, openFile } from "../../src/store/sqlite/database.ts";
import { MONEY_TABLES } from "../../src/store/sqlite/money-schema.ts";
import type { Site } from "./engines.ts";

/** As they were when they had so many versions. */
export function upTo(tables: RoomTables, count: number): RoomTables {
  return {
    ...tables,
    versions: tables.versions.slice(0, count),
    least: Math.min(tables.least, count),
  };
}

/** With one more version, which only adds something. */
export function expandedBy(tables: RoomTables, text: string): RoomTables {
  return { ...tables, versions: [...tables.versions, text] };
}

/** With one more version, which programs must know from then on. */
export function contractedBy(tables: RoomTables, text: string): RoomTables {
  const { versions, ...others } = expandedBy(tables, text);
  return { ...others, versions, least: versions.length };
}

/**
 * A program with other tables of money opens the database, beside whoever has it open; on PostgreSQL it waits so
 * long for what is in its way.
 */
export async function openedWith(
  { settings }: Site,
  change: (tables: RoomTables) => RoomTables,
  waitMs?: number,
): Promise<void> {
  const url = settings.DATABASE_URL;
  if (url === undefined) {
    const path = join(settings.FAREGATE_DATA, "faregate.sqlite");
    const db = openFile(path, { create: true, synchronous: "FULL" });
    try {
      migrateFile(db, change(MONEY_TABLES));
    } finally {
      db.close();
    }
    return;
  }
  const connections = new Connections(url, 1, 500);
  try {
    await migrateDatabase(connections, true, change(TABLES), waitMs);
  } finally {
    await connections.close();
  }
}

/** The version after all, which adds a column to each table of the database. */
export async function columnsForAll({ settings, run }: Site): Promise<string> {
  const rows = await run<{ name: string }>(
    settings.DATABASE_URL === undefined
      ? "select name from sqlite_master where type = 'table'"
      : `select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  return rows.map(({ name }) => `alter table ${name} add column later text;`).join("\n");
}
