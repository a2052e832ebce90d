import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../test/store/engines.ts";
import { contractedBy, expandedBy, openedWith } from "../../../test/store/other-versions.ts";
import { admitted, customer, failureOf, post } from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { NOTICES_TABLES } from "../../notices/tables/versions.ts";
import { migrateRooms } from "../migrations/migrate.ts";
import { expectServer, MINDING_OTHERS, opening } from "./migrate.ts";

const WAITING_SQL = `select 1 from pg_locks l join pg_stat_activity a using (pid)
  where a.datname = current_database() and not l.granted and l.mode = 'AccessExclusiveLock'`;

describe("an upgrade beside an instance that serves", () => {
  const here = perTest(async (parts) => {
    const site = await POSTGRES.site(parts);
    const older = await site.open();
    return { parts, site, older, made: await customer(older, { credit: 1_000n }) };
  });

  test("does not hold it up while somebody else has a table that is to be changed", async () => {
    const { parts, site, older, made } = here;
    const url = site.settings.DATABASE_URL as string;
    const reader = parts.adopt(new SQL(url, { max: 1 }), (opened) => opened.close({ timeout: 0 }));
    const reading = await reader.reserve();
    await reading.unsafe("begin; select 1 from receipts");
    const more = "alter table receipts add column later text";
    const upgrade = openedWith(site, (tables) => expandedBy(tables, more));
    await eventually("the upgrade waits", async () => (await site.run(WAITING_SQL)).length > 0);
    for (let i = 0; i < 3; i++) await post(older, await admitted(older, made, 10n), 1n);
    expect(await older.ledger.balance(made.accountId)).toMatchObject({ charged: 3n });
    await reading.unsafe("rollback");
    reading.release();
    await upgrade;
    expect(await site.run("select later from receipts limit 1")).toEqual([{ later: null }]);
  });

  test("keeps no table from it while another one is worked on", async () => {
    const { parts, site } = here;
    const url = site.settings.DATABASE_URL as string;
    const other = parts.adopt(new SQL(url, { max: 1 }), (opened) => opened.close({ timeout: 0 }));
    const working = await other.reserve();
    await working.unsafe("begin; lock table receipts");
    const changes = ["alter table owners add column later text", "create index on receipts (id)"];
    const upgrade = openedWith(site, (tables) => changes.reduce(expandedBy, tables));
    // With the first of them done nobody waits for the second one but those who write there.
    const isThere =
      "select 1 from pg_attribute where attrelid = 'owners'::regclass and attname = 'later'";
    await eventually("the first change is there", async () => (await site.run(isThere)).length > 0);
    expect(await site.run("select later from owners limit 1")).toHaveLength(1);
    await working.unsafe("rollback");
    working.release();
    await upgrade;
  });

  test("takes nothing away that it needs before it has ended", async () => {
    const { site, older, made } = here;
    const drop = "alter table receipts drop column vendor_request_id";
    const contract = () => openedWith(site, (tables) => contractedBy(tables, drop), 0);
    const failure = await failureOf(contract());
    expect(failure.name).toBe("DatabaseInUseError");
    expect(failure.message).toContain("of an earlier version serves from this database");
    await post(older, await admitted(older, made, 10n), 1n);
    await older.close();
    await contract();
  });

  test("nor from the tables of the console", async () => {
    const { site, older } = here;
    const sql = await site.console();
    const drop = "alter table notices drop column error";
    const contract = () => migrateRooms(sql, [contractedBy(NOTICES_TABLES, drop)], MINDING_OTHERS);
    expect(await failureOf(contract())).toMatchObject({ name: "DatabaseInUseError" });
    await older.close();
    await contract();
  });
});

test("a server that is too old is named, with what is needed", async () => {
  const server = (number: number, name: string) => expectServer(async () => [{ number, name }]);
  await server(140_000, "14.0");
  const failure = await failureOf(opening(() => server(130_022, "13.22 (Debian)")));
  expect(failure.name).toBe("UnfitDatabaseError");
  expect(failure.message).toBe(
    "The database of DATABASE_URL cannot be opened: " +
      "It is PostgreSQL 13.22 (Debian), and Faregate needs 14 or newer.",
  );
});
