import type { RoomTables, Sql } from "../../lib/sql/sql.ts";

/** One statement at a time: a database that prepares a text takes no more. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

async function migrateRoom(
  sql: Sql,
  { room, versions }: RoomTables,
  version: number,
): Promise<void> {
  if (version > versions.length) {
    throw new Error(
      `The tables of ${room} were written by a newer Faregate; upgrade this one to open them.`,
    );
  }
  if (version === versions.length) return;
  for (const text of versions.slice(version)) {
    for (const statement of statementsOf(text)) await sql.query(statement);
  }
  await sql.query(
    `insert into room_versions (room, version) values ($1, $2)
     on conflict (room) do update set version = excluded.version`,
    [room, versions.length],
  );
}

/** Brings the tables of all rooms to their newest versions, once, however many processes start. */
export function migrateRooms(sql: Sql, rooms: readonly RoomTables[]): Promise<void> {
  return sql.transaction(async (inside) => {
    await inside.query(
      "create table if not exists room_versions (room text primary key, version integer not null)",
    );
    // In one question: each is a way to another thread or to the server, at every start and every command.
    const rows = await inside.query<{ room: string; version: number }>(
      "select room, version from room_versions",
    );
    const reached = new Map(rows.map(({ room, version }) => [room, version]));
    for (const tables of rooms) await migrateRoom(inside, tables, reached.get(tables.room) ?? 0);
  });
}
