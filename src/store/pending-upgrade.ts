import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { RoomTables } from "../lib/sql/sql.ts";
import { ROOMS } from "./migrations/rooms.ts";
import { type Found, planUpgrade } from "./migrations/upgrade.ts";

/** What the next start of this program does to the tables of one room. */
export interface RoomUpgrade {
  readonly room: string;
  /** The version that the database has, and the one that this program makes. */
  readonly found: number;
  readonly wanted: number;
  /** Whether a program of the version before can go on with the tables afterwards. */
  readonly keepsOlder: boolean;
  /** Why this program cannot use the tables, such as that a newer one wrote them. */
  readonly refusal: string | undefined;
}

interface VersionRow {
  readonly room: string;
  readonly version: number;
  /** Null in the row that says which programs may use the room. */
  readonly checksum: string | null;
}

const APPLIED_SQL = "select room, version, checksum from applied_versions order by version";
const LEAST_SQL = "select room, version, null as checksum from room_versions";

function upgradeOf(tables: RoomTables, rows: readonly VersionRow[]): RoomUpgrade {
  const own = rows.filter(({ room }) => room === tables.room);
  const least = own.find(({ checksum }) => checksum === null)?.version ?? 0;
  const checksums = own.flatMap(({ checksum }) => (checksum === null ? [] : [checksum]));
  const found: Found = { least, checksums };
  const facts = {
    room: tables.room,
    found: Math.max(least, checksums.length),
    wanted: tables.versions.length,
  };
  try {
    return { ...facts, keepsOlder: !planUpgrade(tables, found).contracts, refusal: undefined };
  } catch (thrown) {
    const refusal = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...facts, keepsOlder: false, refusal };
  }
}

function rowsOf(db: Database, name: string, sql: string): readonly VersionRow[] {
  const isThere = db.query("select 1 from sqlite_master where name = ?").get(name) !== null;
  return isThere ? (db.query(sql).all() as VersionRow[]) : [];
}

async function upgradesOfFolder(folder: string): Promise<readonly RoomUpgrade[] | undefined> {
  const { closeFile, openReader } = await import("./sqlite/database.ts");
  const { filesIn, requirePermitted } = await import("./sqlite/files.ts");
  const { MONEY_TABLES } = await import("./sqlite/money-schema.ts");
  const { RESPONSE_TABLES } = await import("./sqlite/responses/responses-schema.ts");
  requirePermitted(folder);
  const files = filesIn(folder);
  if (!existsSync(files.money)) return undefined;
  const inFile = [
    [files.money, [MONEY_TABLES]],
    [files.responses, [RESPONSE_TABLES]],
    [files.console, ROOMS],
  ] as const;
  return inFile.flatMap(([path, rooms]): RoomUpgrade[] => {
    if (!existsSync(path)) return [];
    const db = openReader(path);
    try {
      const { user_version } = db.query("pragma user_version").get() as { user_version: number };
      const rows = [
        ...rowsOf(db, "applied_versions", APPLIED_SQL),
        ...rowsOf(db, "room_versions", LEAST_SQL),
        // Files of one room keep their least version in a field of the file.
        ...(rooms.length === 1
          ? rooms.map(({ room }) => ({ room, version: user_version, checksum: null }))
          : []),
      ];
      return rooms.map((tables) => upgradeOf(tables, rows));
    } finally {
      closeFile(db);
    }
  });
}

async function upgradesOfPostgres(
  url: string,
  lockWaitMs: number,
): Promise<readonly RoomUpgrade[] | undefined> {
  const { Connections } = await import("./postgres/connections.ts");
  const { TABLES } = await import("./postgres/schema.ts");
  const connections = new Connections(url, 1, lockWaitMs);
  try {
    const rowsIn = async (table: string, sql: string) => {
      const [there] = await connections.read<{ name: string | null }>(
        "select cast(to_regclass($1) as text) as name",
        [table],
      );
      return there?.name ? connections.read<VersionRow>(sql, []) : undefined;
    };
    const money = await rowsIn(
      "schema_version",
      "select 'money' as room, version, null as checksum from schema_version",
    );
    if (!money) return undefined;
    const rows = [
      ...money,
      ...((await rowsIn("applied_versions", APPLIED_SQL)) ?? []),
      ...((await rowsIn("room_versions", LEAST_SQL)) ?? []),
    ].map((row) => ({ ...row, version: Number(row.version) }));
    return [TABLES, ...ROOMS].map((tables) => upgradeOf(tables, rows));
  } finally {
    await connections.close();
  }
}

/**
 * Says what the next start of this program does to the tables of each room, and changes nothing. Returns undefined if
 * there are no tables yet.
 */
export function pendingUpgrades({
  databaseUrl,
  dataDir,
  limits,
}: Config): Promise<readonly RoomUpgrade[] | undefined> {
  return databaseUrl === undefined
    ? upgradesOfFolder(dataDir)
    : upgradesOfPostgres(databaseUrl, limits.lock_wait_ms);
}

/** The names of the instances that serve from a PostgreSQL now, as they call themselves. */
export async function servingInstances({ databaseUrl, limits }: Config): Promise<string[]> {
  if (databaseUrl === undefined) return [];
  const { Connections } = await import("./postgres/connections.ts");
  const connections = new Connections(databaseUrl, 1, limits.lock_wait_ms);
  try {
    const rows = await connections.read<{ name: string }>(
      "select name from owners where lease_until > extract(epoch from clock_timestamp()) * 1000 order by name",
      [],
    );
    return rows.map(({ name }) => name);
  } finally {
    await connections.close();
  }
}
