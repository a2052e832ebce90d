import type { Sql } from "../../lib/sql/sql.ts";
import released from "./released.json" with { type: "json" };
import type { Found } from "./upgrade.ts";

/** In one question: each is a way to another thread or to the server, at every start and every command. */
const ROOMS_SQL = `
  select room, version, null as checksum from room_versions
  union all select room, version, checksum from applied_versions
  order by version`;

interface RoomRow {
  readonly room: string;
  readonly version: number;
  /** None in the row that says which programs may use the room. */
  readonly checksum: string | null;
}

/** What the database says of the tables of each room. */
export async function roomsIn(sql: Sql): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, { least: number; checksums: string[] }>();
  for (const { room, version, checksum } of await sql.query<RoomRow>(ROOMS_SQL)) {
    const of = found.get(room) ?? { least: 0, checksums: [] };
    found.set(room, of);
    if (checksum === null) of.least = version;
    else of.checksums.push(checksum);
  }
  return found;
}

/**
 * Whether this program can work with the tables of all rooms as they are, asked by a process that knows none of
 * the rooms. It goes by the checksums that were released, which a test holds against their texts.
 */
export async function roomsAreCurrent(sql: Sql): Promise<boolean> {
  // There are no such tables yet.
  const found = await roomsIn(sql).catch(() => new Map<string, Found>());
  return Object.entries(released.rooms).every(([room, checksums]) => {
    const of = found.get(room);
    if (!of || of.least > checksums.length) return false;
    return checksums.every((checksum, index) => of.checksums[index] === checksum);
  });
}
