import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../test/store/engines.ts";
import { perTest } from "../../test/support/houses/house.ts";
import { DRAFT_DOORS_TABLES } from "../drafts/tables/versions.ts";
import { ServingRow } from "./serving-row.ts";

describe.each(ENGINES)("where a server is reached, on $name", (engine) => {
  const tables = perTest((parts) => tablesOn(parts, engine, DRAFT_DOORS_TABLES));

  test("the address of the last server stands until that server leaves", async () => {
    const serving = new ServingRow(tables.sql);
    expect(await serving.find()).toBeUndefined();
    await serving.save("http://127.0.0.1:1");
    await serving.save("http://127.0.0.1:2");
    await serving.clear("http://127.0.0.1:1");
    expect(await serving.find()).toBe("http://127.0.0.1:2");
    await serving.clear("http://127.0.0.1:2");
    expect(await serving.find()).toBeUndefined();
  });
});
