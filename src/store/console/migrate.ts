import type { RoomTables, Sql } from "../sql.ts";

/** One statement at a time: a database that prepares a text takes no more. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

async function migrateRoom(sql: Sql, { room, versions }: RoomTables): Promise<void> {
  const [row] = await sql.query<{ version: number }>(
    "select version from room_versions where room = $1",
    [room],
  );
  const version = row?.version ?? 0;
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
    for (const room of rooms) await migrateRoom(inside, room);
  });
}
