import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { contractedBy, expandedBy } from "../../../test/store/other-versions.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { Parts, perSuite } from "../../../test/support/houses/house.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { migrateRooms } from "./migrate.ts";

const NOTES = {
  room: "notes",
  least: 1,
  versions: [
    "create table notes (id text primary key, body text, size bigint, done integer not null);\n" +
      "create index notes_by_size on notes (size);",
  ],
};

/** More than a JavaScript number can tell from its neighbours. */
const HUGE = 2n ** 53n + 1n;

describe.each(ENGINES)("the console's tables on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, NOTES));
  const sql = perSuite((): Sql => tables.sql);

  const add = (id: string, size: number | bigint | null = 1, on = sql) =>
    on.query("insert into notes (id, body, size, done) values ($1, $2, $3, $4)", [
      id,
      `body of ${id}`,
      size,
      0,
    ]);
  const has = async (id: string) =>
    (await sql.query("select id from notes where id = $1", [id])).length === 1;

  test("says what time it is, also inside of a transaction, and never goes back", async () => {
    const times = [
      await sql.nowMs(),
      await sql.transaction((inside) => inside.nowMs()),
      await sql.nowMs(),
    ];
    expect(times.every(Number.isSafeInteger)).toBe(true);
    expect(times.toSorted((one, other) => one - other)).toEqual(times);
    expect(times[0]).toBeGreaterThan(Date.UTC(2026));
  });

  test("gives rows alike: numbers where they fit, comparisons as 1 and 0, null as null", async () => {
    await add("plain", 7);
    await add("none", null);
    expect(await sql.query("select id, size, done from notes where id = $1", ["plain"])).toEqual([
      { id: "plain", size: 7, done: 0 },
    ]);
    const [row] = await sql.query(
      "select size, id = $1 as same, count(*) over () as rows_in_all from notes where id = $1",
      ["none"],
    );
    expect(row).toEqual({ size: null, same: 1, rows_in_all: 1 });
  });

  test("keeps money whole, read as text", async () => {
    await add("huge", HUGE);
    const [row] = await sql.query<{ size: string }>(
      "select cast(size as text) as size from notes where id = $1",
      ["huge"],
    );
    expect(row?.size).toBe(String(HUGE));
  });

  test("a statement that changes rows gives what it returns", async () => {
    await add("one");
    const change = "update notes set done = 1 where id = $1 and done = 0 returning id";
    expect(await sql.query(change, ["one"])).toEqual([{ id: "one" }]);
    expect(await sql.query(change, ["one"])).toEqual([]);
  });

  test("a transaction is kept whole, or not at all", async () => {
    const kept = await sql.transaction(async (inside) => {
      await add("a", 1, inside);
      await inside.transaction((deeper) => add("b", 1, deeper));
      return "done";
    });
    expect([kept, await has("a"), await has("b")]).toEqual(["done", true, true]);

    const mine = new Error("mine");
    const failed = sql.transaction(async (inside) => {
      await add("c", 1, inside);
      throw mine;
    });
    expect(await failureOf(failed)).toBe(mine);
    expect(await has("c")).toBe(false);
  });

  test("a statement that fails inside rolls back what came before, and the next one works", async () => {
    const failed = sql.transaction(async (inside) => {
      await add("d", 1, inside);
      await add("d", 1, inside);
    });
    expect((await failureOf(failed)).name).toBe("StorageError");
    expect(await has("d")).toBe(false);
    await add("d");
    expect(await has("d")).toBe(true);
  });

  test("what is asked beside a transaction does not become a part of it", async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const failed = sql.transaction(async (inside) => {
      await add("inside", 1, inside);
      entered.resolve();
      await leave.promise;
      throw new Error("undone");
    });
    await entered.promise;
    const beside = add("beside");
    leave.resolve();
    await failureOf(failed);
    await beside;
    expect([await has("inside"), await has("beside")]).toEqual([false, true]);
  });

  test("two transactions of two processes never count from the same number", async () => {
    await add("counter", 0);
    const other = await tables.again();
    const raise = (on: Sql) =>
      on.transaction(async (inside) => {
        const [row] = await inside.query<{ size: number }>("select size from notes where id = $1", [
          "counter",
        ]);
        await inside.query("update notes set size = $1 where id = $2", [
          Number(row?.size) + 1,
          "counter",
        ]);
      });
    await Promise.all(Array.from({ length: 20 }, (_, i) => raise(i % 2 === 0 ? sql : other)));
    expect(await sql.query("select size from notes where id = 'counter'")).toEqual([{ size: 20 }]);
  });

  test("a handle that is closed refuses what comes late, and closes once", async () => {
    await using parts = new Parts();
    const { sql: own } = await tablesOn(parts, engine, NOTES);
    expect(await own.query("select id from notes")).toEqual([]);
    const closing = Promise.all([own.close(), own.close()]);
    const late = failureOf(own.query("select id from notes"));
    await closing;
    expect((await late).name).toBe("StorageError");
  });

  test("tables are made once by processes that start together, and grow by versions", async () => {
    const grown = expandedBy(NOTES, "alter table notes add column author text;");
    const others = await Promise.all([tables.again(), tables.again(), tables.again()]);
    await Promise.all(others.map((other) => migrateRooms(other, [grown])));
    expect(await sql.query("select author from notes where id = 'plain'")).toEqual([
      { author: null },
    ]);
    // What was only added, a program of before does not notice.
    await migrateRooms(sql, [NOTES]);
    const renamed = "alter table notes rename column author to writer";
    await migrateRooms(sql, [contractedBy(grown, renamed)]);
    expect((await failureOf(migrateRooms(sql, [grown]))).message).toContain("newer Faregate");
  });
});
