import type { Sql } from "../../lib/sql/sql.ts";

/**
 * How many versions the tables of each room have, for a process that knows none of the rooms. A test holds it
 * against their list.
 */
export const ROOM_VERSIONS: Readonly<Record<string, number>> = {
  "sign-in": 1,
  accounts: 7,
  notices: 1,
  operator: 1,
  payments: 4,
  platform: 2,
  "platform-media": 1,
  "platform-publishing": 2,
  drafts: 4,
  "draft-doors": 1,
  secret: 1,
};

/** Whether the tables of all rooms are those that this program knows. */
export async function roomsAreCurrent(sql: Sql): Promise<boolean> {
  const rows = await sql
    .query<{ room: string; version: number }>("select room, version from room_versions")
    // There is no such table yet.
    .catch(() => []);
  const reached = new Map(rows.map(({ room, version }) => [room, version]));
  return Object.entries(ROOM_VERSIONS).every(([room, version]) => reached.get(room) === version);
}
