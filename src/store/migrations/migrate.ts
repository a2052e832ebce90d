import type { RoomTables, Sql } from "../../lib/sql/sql.ts";
import { roomsIn } from "./room-versions.ts";
import { APPLIED_TABLE_SQL, type Found, planUpgrade, type Upgrade } from "./upgrade.ts";

/** One statement at a time: a database that prepares a text takes no more. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

async function upgradeRoom(sql: Sql, room: string, upgrade: Upgrade): Promise<void> {
  for (const text of upgrade.texts) {
    for (const statement of statementsOf(text)) await sql.query(statement);
  }
  for (const { version, checksum } of upgrade.applied) {
    await sql.query("insert into applied_versions (room, version, checksum) values ($1, $2, $3)", [
      room,
      version,
      checksum,
    ]);
  }
  await sql.query(
    `insert into room_versions (room, version) values ($1, $2)
     on conflict (room) do update set version = excluded.version`,
    [room, upgrade.least],
  );
}

const NOTHING: Found = { least: 0, checksums: [] };

/** What an upgrade has to mind where other processes use the tables. */
export interface Minding {
  /** A statement that goes before all. */
  readonly first?: string;
  /** Called before something is taken away; throws where somebody still needs it. */
  readonly contracts?: (inside: Sql) => void | Promise<void>;
}

/** Brings the tables of all rooms to their newest versions, once, however many processes start. */
export function migrateRooms(
  sql: Sql,
  rooms: readonly RoomTables[],
  { first, contracts }: Minding = {},
): Promise<void> {
  return sql.transaction(async (inside) => {
    if (first !== undefined) await inside.query(first);
    await inside.query(
      "create table if not exists room_versions (room text primary key, version integer not null)",
    );
    await inside.query(APPLIED_TABLE_SQL);
    const found = await roomsIn(inside);
    for (const tables of rooms) {
      const upgrade = planUpgrade(tables, found.get(tables.room) ?? NOTHING);
      if (upgrade.contracts) await contracts?.(inside);
      if (upgrade.applied.length > 0) await upgradeRoom(inside, tables.room, upgrade);
    }
  });
}
