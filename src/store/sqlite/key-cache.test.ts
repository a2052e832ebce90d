import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SQLITE } from "../../../test/store/engines.ts";
import { admitted, customer, post } from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";

const site = perTest(SQLITE.site);
const store = perTest(() => site.open());
const made = perTest(() => customer(store, { credit: 100n }));
const find = () => store.accounts.findKey(made.hash);

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
  test.each(SHOWN)("shows a change of its %s", async (column, value, field) => {
    const before = (await find()) as unknown as Record<string, unknown>;
    await site.run(`update keys set ${column} = ${value} where id = '${made.id}'`);
    const after = (await find()) as unknown as Record<string, unknown>;
    expect(after[field]).not.toEqual(before[field]);
    expect({ ...after, [field]: before[field] }).toEqual(before);
  });

  test.each(["enabled", "hard", "operator"])(
    "shows that its account's %s changes",
    async (column) => {
      const before = await find();
      await site.run(
        `update accounts set ${column} = 1 - ${column} where id = '${made.accountId}'`,
      );
      expect(await find()).not.toEqual(before);
    },
  );

  test("is not found by the old secret, nor once it is removed", async () => {
    await find();
    await site.run(`update keys set hash = 'another' where id = '${made.id}'`);
    expect(await find()).toBeUndefined();
    expect(await store.accounts.findKey("another")).toMatchObject({ id: made.id });
    await site.run(`delete from scopes where id = '${made.id}'`);
    await site.run(`delete from keys where id = '${made.id}'`);
    expect(await store.accounts.findKey("another")).toBeUndefined();
  });

  test("shows what a stranger has written to the file, within a second", async () => {
    await find();
    const stranger = new Database(join(site.settings.FAREGATE_DATA, "faregate.sqlite"));
    stranger.run(`update keys set enabled = 0 where id = '${made.id}'`);
    stranger.close();
    await eventually("it is seen", async () => (await find())?.enabled === false);
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
    expect(await find()).toBe(before as NonNullable<typeof before>);
  });
});
