// An installation that an earlier version has left, before a server of this one has started on it.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { migrate, openFile } from "../../src/store/sqlite/database.ts";
import { JOURNAL_NUMBERS } from "../../src/store/sqlite/journal/journal-tables.ts";
import { MONEY_TABLES } from "../../src/store/sqlite/money-schema.ts";
import { RESPONSE_TABLES } from "../../src/store/sqlite/responses/responses-schema.ts";
import { typed } from "../cli/commands.ts";
import { leaveEarlierBooks } from "../store/earlier-books.ts";
import { SQLITE } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
/** Before there were numbers of lines, which whoever keeps the books today counts on. */
const BEFORE = MONEY_TABLES.versions.indexOf(JOURNAL_NUMBERS);

async function earlier(): Promise<{ FAREGATE_DATA: string }> {
  const site = await SQLITE.emptySite(parts);
  await leaveEarlierBooks(site, BEFORE);
  const { FAREGATE_DATA } = site.settings;
  const path = join(FAREGATE_DATA, "responses.sqlite");
  const responses = openFile(path, { create: true, synchronous: "NORMAL" });
  migrate(responses, RESPONSE_TABLES);
  responses.close();
  return { FAREGATE_DATA };
}

/** How many versions of the tables a program must know. */
function leastOf({ FAREGATE_DATA }: { FAREGATE_DATA: string }): unknown {
  const db = new Database(join(FAREGATE_DATA, "faregate.sqlite"));
  try {
    return db.query("pragma user_version").get();
  } finally {
    db.close();
  }
}

test("is backed up as it is, so that one can go back to it, and put back as it would be upgraded", async () => {
  const settings = await earlier();
  const file = join(parts.folder(), "b.tar");
  const made = await typed(["backup", file, "--json"], settings);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(made.stdout)).toMatchObject({ receipts: 1, entries: 2 });
  expect(leastOf(settings)).toEqual({ user_version: BEFORE });
  const place = { FAREGATE_DATA: join(parts.folder(), "data") };
  const restored = await typed(["restore", file, "--json"], place);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  // With those of the two requests that were cut off.
  expect(JSON.parse(restored.stdout)).toMatchObject({ receipts: 3, problems: [] });
  expect(leastOf(place)).toEqual({ user_version: MONEY_TABLES.least });
});

test("is verified", async () => {
  const { code, stdout } = await typed(["verify", "--json"], await earlier());
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, ok: true, receipts: 3 });
});
