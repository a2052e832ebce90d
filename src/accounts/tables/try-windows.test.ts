import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { TryWindowsTable } from "./try-windows.ts";
import { ACCOUNTS_TABLES } from "./versions.ts";

const DAY_MS = 24 * 3_600_000;

describe.each(ENGINES)("windows of tries on $name", (engine) => {
  const house = perSuite(async (parts) => {
    const { sql } = await tablesOn(parts, engine, ACCOUNTS_TABLES);
    return { sql, windows: new TryWindowsTable(sql) };
  });
  const names = async () => {
    const rows = await house.sql.query<{ name: string }>(
      "select name from sign_in_attempts order by name",
    );
    return rows.map(({ name }) => name);
  };

  test("that have been over for a day go when another begins, but for who has to wait longer", async () => {
    const terms = { windowMs: 1_000, max: 2 };
    await house.windows.take("old", { ...terms, nowMs: 1 });
    await house.sql.query("insert into sign_in_attempts values ('waits', 9, 1, $1)", [3 * DAY_MS]);
    await house.windows.take("recent", { ...terms, nowMs: DAY_MS });
    await house.windows.take("new", { ...terms, nowMs: DAY_MS + 2 });
    expect(await names()).toEqual(["new", "recent", "waits"]);
  });

  test("have room again for a try that is given back", async () => {
    const terms = { windowMs: 1_000, max: 1, nowMs: 2 * DAY_MS };
    expect(await house.windows.take("mine", terms)).toBe(0);
    expect(await house.windows.take("mine", terms)).toBe(1_000);
    await house.windows.giveBack("mine");
    await house.windows.giveBack("mine");
    expect(await house.windows.take("mine", terms)).toBe(0);
    expect(await house.windows.take("mine", terms)).toBe(1_000);
  });
});
