import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { MONEY_VERSIONS } from "./sqlite/schema.ts";
import { CHECKS } from "./verification.ts";

test("no check walks through all entries again for each row of another table", () => {
  const db = new Database(":memory:");
  for (const text of MONEY_VERSIONS) db.run(text);
  for (const { claim, sql } of CHECKS) {
    const plan = db.query(`explain query plan ${sql}`).all() as { detail: string }[];
    // The first table of a join is walked through; the ones behind it must be looked up by their id.
    const slow = plan.filter(({ detail }) => /AUTOMATIC PARTIAL|^SCAN .*JOIN/.test(detail));
    expect({ claim, slow }).toEqual({ claim, slow: [] });
  }
});
