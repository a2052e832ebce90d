// The console's database on both engines, for the suites of the rooms that keep their tables in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateRooms } from "../../src/store/console/migrate.ts";
import { Connections } from "../../src/store/postgres/connections.ts";
import { ConsoleSql as PostgresSql } from "../../src/store/postgres/console-sql.ts";
import type { RoomTables, Sql } from "../../src/store/sql.ts";
import { ConsoleSql as SqliteSql } from "../../src/store/sqlite/console-sql.ts";
import { sharedPostgres } from "../postgres.ts";

interface OpenedConsole {
  readonly sql: Sql;
  /** Another handle on the same tables, as another process would have. */
  again(): Promise<Sql>;
  /** Closes every handle and removes the data. */
  close(): Promise<void>;
}

export interface ConsoleDatabase {
  readonly name: "SQLite" | "PostgreSQL";
  /** An empty database of its own, with the tables of the rooms that are named. */
  open(...rooms: RoomTables[]): Promise<OpenedConsole>;
}

const sqlite: ConsoleDatabase = {
  name: "SQLite",
  async open(...rooms) {
    const folder = mkdtempSync(join(tmpdir(), "faregate-console-"));
    const opened: SqliteSql[] = [];
    const again = async () => {
      const sql = await SqliteSql.open(join(folder, "console.sqlite"));
      opened.push(sql);
      return sql;
    };
    const sql = await again();
    await migrateRooms(sql, rooms);
    return {
      sql,
      again,
      async close() {
        for (const handle of opened) await handle.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const postgres: ConsoleDatabase = {
  name: "PostgreSQL",
  async open(...rooms) {
    const url = await (await sharedPostgres()).createDatabase();
    const opened: Connections[] = [];
    const again = async () => {
      const connections = new Connections(url);
      opened.push(connections);
      return new PostgresSql(connections);
    };
    const sql = await again();
    await migrateRooms(sql, rooms);
    return {
      sql,
      again,
      async close() {
        for (const connections of opened) await connections.close();
      },
    };
  },
};

/** Both engines, as in `describe.each(consoleDatabases())("… on $name", ({ open }) => …)`. */
export function consoleDatabases(): ConsoleDatabase[] {
  return [sqlite, postgres];
}
