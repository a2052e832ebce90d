import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SQLITE } from "../../../test/store/engines.ts";
import { admitted, customer, post } from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { KeyCache } from "./key-cache.ts";

const site = perTest(SQLITE.site);
const file = () => join(site.settings.FAREGATE_DATA, "faregate.sqlite");
const store = perTest(() => site.open());
const made = perTest(() => customer(store, { credit: 100n }));
/** Another process, which knows nothing of what this one keeps in memory. */
const other = perTest((parts) => {
  const database = parts.keep(new Database(file(), { readwrite: true }));
  database.run("pragma busy_timeout = 10000");
  return database;
});

const find = () => store.accounts.findKey(made.hash);

/** The clock has moved: the file is looked at once in a millisecond. */
function soon(): Promise<boolean> {
  const beforeMs = Date.now();
  return eventually("the clock moves", () => Date.now() > beforeMs);
}

/** What `findKey` shows of a key, apart from when it was last used. */
const SHOWN: readonly (readonly [column: string, value: string, field: string])[] = [
  ["last_four", "'wxyz'", "lastFour"],
  ["name", "'desk'", "name"],
  ["enabled", "0", "enabled"],
  ["expires_at", "5", "expiresAtMs"],
  ["models", `'["m"]'`, "models"],
  ["networks", `'["10.0.0.0/8"]'`, "networks"],
  ["rpm", "7", "requestsPerMinute"],
  ["tpm", "8", "tokensPerMinute"],
  ["concurrency", "9", "concurrency"],
  ["hard", "1", "hard"],
  ["account_read", "1", "accountRead"],
  ["show_cost", "0", "showCost"],
  ["deleted_at", "5", "deletedAtMs"],
];

describe("a key that is kept in memory", () => {
  test.each(SHOWN)("shows a change of its %s by another process", async (column, value, field) => {
    const before = (await find()) as unknown as Record<string, unknown>;
    other.run(`update keys set ${column} = ${value} where id = '${made.id}'`);
    await soon();
    const after = (await find()) as unknown as Record<string, unknown>;
    expect(after[field]).not.toEqual(before[field]);
    expect({ ...after, [field]: before[field] }).toEqual(before);
  });

  test.each(["enabled", "hard", "operator"])(
    "shows that its account's %s changes",
    async (column) => {
      const before = await find();
      other.run(`update accounts set ${column} = 1 - ${column} where id = '${made.accountId}'`);
      await soon();
      expect(await find()).not.toEqual(before);
    },
  );

  test("is not found by the old secret, nor once it is removed", async () => {
    await find();
    other.run(`update keys set hash = 'another' where id = '${made.id}'`);
    await soon();
    expect(await find()).toBeUndefined();
    expect(await store.accounts.findKey("another")).toMatchObject({ id: made.id });
    other.run(`delete from scopes where id = '${made.id}'`);
    other.run(`delete from keys where id = '${made.id}'`);
    await soon();
    expect(await store.accounts.findKey("another")).toBeUndefined();
  });

  test("is looked at once in a millisecond, and again when told", () => {
    let nowMs = 1_000;
    const reader = new Database(file(), { readonly: true });
    const cache = new KeyCache(reader, () => nowMs);
    const before = cache.find(made.hash);
    other.run(`update keys set enabled = 0 where id = '${made.id}'`);
    expect(cache.find(made.hash)).toBe(before as NonNullable<typeof before>);
    cache.lookAgain();
    expect(cache.find(made.hash)).toMatchObject({ enabled: false });
    other.run(`update keys set enabled = 1 where id = '${made.id}'`);
    nowMs += 1;
    expect(cache.find(made.hash)).toMatchObject({ enabled: true });
    reader.close();
  });

  test("shows a change of our own to whoever waited for it", async () => {
    for (let i = 0; i < 20; i++) {
      const enabled = i % 2 === 1;
      const changed = store.accounts.updateKey(made.id, { enabled });
      // Requests go on meanwhile, up to the moment in which the change is reported.
      let changing = true;
      const asking = (async () => {
        while (changing) {
          await find();
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await changed;
      expect(await find()).toMatchObject({ enabled });
      changing = false;
      await asking;
    }
  });

  test("is not read again because requests are settled", async () => {
    const before = await find();
    await post(store, await admitted(store, made, 10n), 4n);
    await soon();
    expect(await find()).toBe(before as NonNullable<typeof before>);
  });
});
