import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { contractedBy, expandedBy } from "../../../test/store/other-versions.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { Parts, perTest } from "../../../test/support/houses/house.ts";
import { ACCOUNTS_TABLES } from "../../accounts/tables/versions.ts";
import { NOTICES_TABLES } from "../../notices/tables/versions.ts";
import { migrateRooms } from "./migrate.ts";
import { roomsAreCurrent } from "./room-versions.ts";
import { ROOMS } from "./rooms.ts";
import { checksumOf } from "./upgrade.ts";

describe.each(ENGINES)("the tables of the rooms on $name", (engine) => {
  const tables = perTest(async (parts) => {
    const sql = await (await engine.site(parts)).console();
    await migrateRooms(sql, ROOMS);
    return { sql };
  });

  test("are current once all of them are, and no longer when one lacks a version", async () => {
    // Not one that was prepared for tests, which has all tables.
    await using parts = new Parts();
    const sql = await (await engine.emptySite(parts)).console();
    expect(await roomsAreCurrent(sql)).toBe(false);
    await migrateRooms(sql, ROOMS.slice(1));
    expect(await roomsAreCurrent(sql)).toBe(false);
    await migrateRooms(sql, ROOMS);
    expect(await roomsAreCurrent(sql)).toBe(true);
    await sql.query("delete from applied_versions where room = 'accounts' and version = 7");
    expect(await roomsAreCurrent(sql)).toBe(false);
  });

  test("stay so when a newer program only adds, and not when it takes away", async () => {
    const { sql } = tables;
    const grown = expandedBy(NOTICES_TABLES, "alter table notices add column later text");
    await migrateRooms(sql, [grown]);
    expect(await roomsAreCurrent(sql)).toBe(true);
    await migrateRooms(sql, ROOMS);
    await migrateRooms(sql, [contractedBy(grown, "alter table notices drop column error")]);
    expect(await roomsAreCurrent(sql)).toBe(false);
    const failure = await failureOf(migrateRooms(sql, ROOMS));
    const known = NOTICES_TABLES.versions.length;
    expect(failure.message).toBe(
      `The tables of notices were written by a newer Faregate: they need one that knows version ${known + 2} of them, ` +
        `and this one knows ${known}. Upgrade this one to open them.`,
    );
  });

  test("are refused when a version was applied with another text", async () => {
    const { sql } = tables;
    const other = checksumOf(`${ACCOUNTS_TABLES.versions[1]} `);
    const where = "where room = 'accounts' and version = 2";
    await sql.query(`update applied_versions set checksum = $1 ${where}`, [other]);
    expect(await roomsAreCurrent(sql)).toBe(false);
    const failure = await failureOf(migrateRooms(sql, ROOMS));
    expect(failure.name).toBe("UnfitDatabaseError");
    expect(failure.message).toStartWith(
      "Version 2 of the tables of accounts was applied with another text",
    );
  });

  test("of before checksums were kept get theirs once", async () => {
    const { sql } = tables;
    await sql.query("drop table applied_versions");
    // What says how many versions a program must know was the version that the tables had reached.
    for (const { room, versions } of ROOMS) {
      const reached = [versions.length, room];
      await sql.query("update room_versions set version = $1 where room = $2", reached);
    }
    expect(await roomsAreCurrent(sql)).toBe(false);
    await migrateRooms(sql, ROOMS);
    expect(await roomsAreCurrent(sql)).toBe(true);
  });
});
