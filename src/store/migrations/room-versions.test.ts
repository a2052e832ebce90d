import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { migrateRooms } from "./migrate.ts";
import { ROOM_VERSIONS, roomsAreCurrent } from "./room-versions.ts";
import { ROOMS } from "./rooms.ts";

test("a gate knows how many versions the tables of each room have", () => {
  const real = ROOMS.map(({ room, versions }) => [room, versions.length]);
  expect(ROOM_VERSIONS).toEqual(Object.fromEntries(real));
});

describe.each(ENGINES)("the tables of the rooms on $name", (engine) => {
  // Not one that was prepared for tests, which has all tables.
  const tables = perTest(async (parts) => {
    const site = await engine.emptySite(parts);
    return { sql: await site.console() };
  });

  test("are current once all of them are, and no longer when one is of another version", async () => {
    const { sql } = tables;
    expect(await roomsAreCurrent(sql)).toBe(false);
    await migrateRooms(sql, ROOMS.slice(1));
    expect(await roomsAreCurrent(sql)).toBe(false);
    await migrateRooms(sql, ROOMS);
    expect(await roomsAreCurrent(sql)).toBe(true);
    for (const change of ["- 1", "+ 1"]) {
      const set = `set version = version ${change} where room = $1`;
      await sql.query(`update room_versions ${set}`, ["notices"]);
      expect(await roomsAreCurrent(sql)).toBe(change === "+ 1");
    }
    await sql.query("update room_versions set version = version + 1 where room = $1", ["drafts"]);
    expect(await roomsAreCurrent(sql)).toBe(false);
  });
});
