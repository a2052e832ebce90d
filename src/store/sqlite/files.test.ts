import { describe, expect, test } from "bun:test";
import { readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { admitted, customer, failureOf, post } from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { MissingDatabaseError } from "../store.ts";
import { openSqlite } from "./open.ts";

const parts = partsOfTest();
const SERVING = { create: true, serve: true };
const BESIDE = { create: false, serve: false };

/** The folder of an installation with one customer, who has paid for something, at rest. */
async function installation(): Promise<string> {
  const folder = parts.folder();
  const store = await openSqlite(folder, SERVING);
  const made = await customer(store, { credit: 100n });
  await post(store, await admitted(store, made, 10n), 4n);
  await store.close();
  return folder;
}

function sizesIn(folder: string): Readonly<Record<string, number>> {
  // What SQLite puts beside a file is there for whoever looks at it, too.
  const names = readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
}

describe("a data folder of which a file is gone", () => {
  test.each(["faregate.sqlite", "responses.sqlite", "console.sqlite"])(
    "is not served and not changed without %s, until it is back",
    async (name) => {
      const folder = await installation();
      const [path, aside] = [join(folder, name), join(parts.folder(), name)];
      renameSync(path, aside);
      const before = sizesIn(folder);
      for (const options of [SERVING, BESIDE]) {
        const failure = await failureOf(openSqlite(folder, options));
        expect(failure).toBeInstanceOf(MissingDatabaseError);
        expect(failure.message).toContain(path);
        expect(failure.message).toContain("faregate serve --new");
      }
      expect(sizesIn(folder)).toEqual(before);
      renameSync(aside, path);
      const store = await openSqlite(folder, SERVING);
      expect(await store.accounts.listAccounts()).toHaveLength(1);
      await store.close();
    },
  );

  test("counts an empty file of money as none, and mapped holds as something beside it", async () => {
    const folder = await installation();
    truncateSync(join(folder, "faregate.sqlite"), 0);
    expect(await failureOf(openSqlite(folder, SERVING))).toBeInstanceOf(MissingDatabaseError);
    for (const name of ["faregate.sqlite", "responses.sqlite", "console.sqlite"]) {
      rmSync(join(folder, name));
    }
    const failure = await failureOf(openSqlite(folder, SERVING));
    expect(failure.message).toContain("holds.map");
  });

  test("is served with new books once somebody says so, in which nothing is missing", async () => {
    const folder = await installation();
    rmSync(join(folder, "faregate.sqlite"));
    const store = await openSqlite(folder, { ...SERVING, anew: true });
    expect(await store.accounts.listAccounts()).toEqual([]);
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
    await store.close();
  });
});

test("a first start that was killed before it wrote anything is done again", async () => {
  const folder = parts.folder();
  writeFileSync(join(folder, "faregate.sqlite"), "");
  writeFileSync(join(folder, "responses.sqlite"), "");
  await (await openSqlite(folder, SERVING)).close();
});
