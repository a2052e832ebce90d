import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, post, total, voidHold } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { MONEY_VERSIONS } from "../sqlite/money-schema.ts";
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

for (const engine of ENGINES) {
  describe(`verification on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    /** A request that was taken for dead when its process had ended, and ended after all. */
    const dead = perSuite(async () => {
      const before = await site.open();
      const made = await customer(before, { credit: 100n, budget: 80n });
      const late = await admitted(before, made, 30n);
      await before.close();
      return { made, late };
    });
    const store = perSuite(() => site.open());

    /** Each damage, how to undo it, and the claim that must be reported. */
    const DAMAGES: readonly { claim: string; damage: string; undo: string }[] = [
      {
        claim: "credited = sum of its credit entries",
        damage: "update scopes set max = max + 1 where kind = 'balance'",
        undo: "update scopes set max = max - 1 where kind = 'balance'",
      },
      {
        claim: "credited = sum of its credit entries",
        damage: "update entries set amount = amount + 1 where kind = 'topup'",
        undo: "update entries set amount = amount - 1 where kind = 'topup'",
      },
      {
        claim: "charged = sum of its posts and corrections",
        damage: "update scopes set used = used + 1 where kind = 'balance'",
        undo: "update scopes set used = used - 1 where kind = 'balance'",
      },
      {
        claim: "used = sum of the key's posts and corrections",
        damage: "update scopes set used = used - 1 where kind = 'key'",
        undo: "update scopes set used = used + 1 where kind = 'key'",
      },
      {
        claim: "a budget's used = sum of the key's posts and corrections since its window began",
        damage: "update budgets set base = 1 where period = 'total'",
        undo: "update budgets set base = 0 where period = 'total'",
      },
      {
        claim: "a budget's used = sum of the key's posts and corrections since its window began",
        damage: "update budgets set base = base + 1 where period = 'day'",
        undo: "update budgets set base = base - 1 where period = 'day'",
      },
      {
        claim: "a budget's used = sum of the key's posts and corrections since its window began",
        damage: "update budgets set window_start = window_start + 99000000000 where period = 'day'",
        undo: "update budgets set window_start = window_start - 99000000000 where period = 'day'",
      },
      {
        claim: "held = sum of the account's open holds",
        damage: "update scopes set held = held + 1 where kind = 'balance'",
        undo: "update scopes set held = held - 1 where kind = 'balance'",
      },
      {
        claim: "held = sum of the key's open holds",
        damage: "update scopes set held = held - 1 where kind = 'key'",
        undo: "update scopes set held = held + 1 where kind = 'key'",
      },
      {
        claim: "running = number of the account's open holds with money",
        damage: "update scopes set running = running + 1 where kind = 'balance'",
        undo: "update scopes set running = running - 1 where kind = 'balance'",
      },
      {
        claim: "running = number of the key's open holds with money",
        damage: "update scopes set running = running - 1 where kind = 'key'",
        undo: "update scopes set running = running + 1 where kind = 'key'",
      },
      {
        claim: "a resolved hold has a receipt of the same cost",
        damage: "update entries set amount = amount + 1 where kind = 'post'",
        undo: "update entries set amount = amount - 1 where kind = 'post'",
      },
      {
        claim: "a resolved hold has a receipt of the same cost",
        damage: "update receipts set id = id || '!' where cost = 0",
        undo: "update receipts set id = replace(id, '!', '') where cost = 0",
      },
      {
        claim: "a charged receipt has a post or a correction",
        damage: "update entries set hold_id = hold_id || '!' where kind = 'post'",
        undo: "update entries set hold_id = replace(hold_id, '!', '') where kind = 'post'",
      },
      {
        claim: "a charged receipt has a post or a correction",
        damage: "update entries set hold_id = hold_id || '!' where kind = 'correction'",
        undo: "update entries set hold_id = replace(hold_id, '!', '') where kind = 'correction'",
      },
      {
        claim: "a resolved hold has a receipt of the same cost",
        damage: "update entries set amount = amount + 1 where kind = 'correction'",
        undo: "update entries set amount = amount - 1 where kind = 'correction'",
      },
      {
        claim: "charged = sum of its posts and corrections",
        damage: "update entries set amount = amount - 1 where kind = 'correction'",
        undo: "update entries set amount = amount + 1 where kind = 'correction'",
      },
      {
        claim: "what is corrected was void, and is no longer interrupted",
        damage: "update receipts set billing_reason = 'interrupted' where cost = 9",
        undo: "update receipts set billing_reason = 'completed' where cost = 9",
      },
      {
        claim: "what is corrected was void, and is no longer interrupted",
        damage: `update entries set kind = 'post' where kind = 'void'
          and hold_id in (select id from receipts where cost = 9)`,
        undo: `update entries set kind = 'void' where kind = 'post'
          and hold_id in (select id from receipts where cost = 9)`,
      },
      {
        claim: "an open hold is not resolved",
        damage: `update entries set hold_id = (select id from holds)
          where kind = 'void' and hold_id in (select id from receipts where cost = 0)`,
        undo: `update entries set hold_id = (select id from receipts where cost = 0)
          where kind = 'void' and hold_id not in (select id from receipts)`,
      },
      {
        claim: "rollups = sum of receipts",
        damage: "update rollups set cost = cost + 1",
        undo: "update rollups set cost = cost - 1",
      },
      {
        claim: "rollups = sum of receipts",
        damage: "update rollups set requests = requests + 1",
        undo: "update rollups set requests = requests - 1",
      },
      {
        claim: "rollups = sum of receipts",
        damage: "update rollups set cache_write_long = cache_write_long + 1",
        undo: "update rollups set cache_write_long = cache_write_long - 1",
      },
      {
        claim: "rollups = sum of receipts",
        damage: "update rollups set output = output - 1",
        undo: "update rollups set output = output + 1",
      },
      {
        claim: "rollups = sum of receipts",
        damage: "update rollups set hour = hour + 1",
        undo: "update rollups set hour = hour - 1",
      },
      {
        claim: "usage of an hour = its keys and models",
        damage: "update usage_hours set cost = cost + 1",
        undo: "update usage_hours set cost = cost - 1",
      },
      {
        claim: "usage of a day = its hours",
        damage: "update usage_days set cache_read = cache_read + 1",
        undo: "update usage_days set cache_read = cache_read - 1",
      },
      {
        claim: "usage of a day = its hours",
        damage: "update usage_days set model = model || '!'",
        undo: "update usage_days set model = replace(model, '!', '')",
      },
      {
        claim: "a day of a channel = sum of its receipts",
        damage: "update channel_days set cost = cost + 1",
        undo: "update channel_days set cost = cost - 1",
      },
      {
        claim: "a day of a channel = sum of its receipts",
        damage: "update channel_days set overage = overage + 1",
        undo: "update channel_days set overage = overage - 1",
      },
      {
        claim: "a day of a channel = sum of its receipts",
        damage: "update channel_days set price_version = price_version || '!'",
        undo: "update channel_days set price_version = replace(price_version, '!', '')",
      },
      {
        claim: "cost = its lines, rounded up",
        damage: `update receipts set lines = '[["input",1,"12001"]]' where cost = 12`,
        undo: `update receipts set lines = '[["input",1,"12000"]]' where cost = 12`,
      },
    ];

    beforeAll(async () => {
      const { made, late } = dead;
      await store.ledger.recover();
      await post(store, late, 9n);
      await post(store, await admitted(store, made, 30n), 12n);
      await voidHold(store, await admitted(store, made, 30n));
      const daily = { amount: 70n, period: "day", timeZone: "Asia/Tokyo" } as const;
      await store.accounts.updateKey(made.id, { budgets: [...total(80n), daily] });
      await post(store, await admitted(store, made, 30n), 5n);
      await admitted(store, made, 30n);
    });

    test("sound books have no problems and are counted", async () => {
      expect(await store.ledger.verify()).toEqual({
        accounts: 1,
        keys: 1,
        entries: 6,
        receipts: 4,
        openHolds: 1,
        problems: [],
      });
    });

    test("a line that rounds up to the cost is no problem", async () => {
      await site.damage(`update receipts set lines = '[["input",1,"11001"]]' where cost = 12`);
      expect((await store.ledger.verify()).problems).toEqual([]);
      await site.damage(`update receipts set lines = '[["input",1,"12000"]]' where cost = 12`);
    });

    test("nor is one that takes back what is beyond the hold", async () => {
      const lines = '[["input",1,"90500"],["beyond_hold",1,"-78500"]]';
      await site.damage(`update receipts set lines = '${lines}' where cost = 12`);
      expect((await store.ledger.verify()).problems).toEqual([]);
      await site.damage(`update receipts set lines = '[["input",1,"12000"]]' where cost = 12`);
    });

    test.each(DAMAGES)("reports $claim: $damage", async ({ claim, damage, undo }) => {
      await site.damage(damage);
      const { problems } = await store.ledger.verify();
      expect(problems.filter((problem) => problem.includes(claim))).not.toEqual([]);
      await site.damage(undo);
      expect((await store.ledger.verify()).problems).toEqual([]);
    });

    test("the problems of a claim are told by subject, whichever row was touched last", async () => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.push((await customer(store, { credit: 1n })).accountId);
      for (const id of ids.toReversed()) {
        await site.run(`update scopes set max = max + 1 where id = '${id}'`);
      }
      const { problems } = await store.ledger.verify();
      expect(problems.map((problem) => problem.split(":")[0] ?? "")).toEqual(ids.toSorted());
      await site.run("update scopes set max = max - 1 where max = 2");
    });

    test("a count that an older program left behind is no problem, and is gone with the next request", async () => {
      const made = await customer(store, { credit: 100n });
      const ids = `id in ('${made.id}', '${made.accountId}')`;
      await site.run(`update scopes set running = 3 where ${ids}`);
      expect((await store.ledger.verify()).problems).toEqual([]);
      const asked = await admitted(store, made, 10n);
      // Written by now at the latest, since somebody has looked.
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 10n });
      const running = await site.run(
        `select cast(running as text) as open from scopes where ${ids}`,
      );
      expect(running.map(({ open }) => open)).toEqual(["1", "1"]);
      await voidHold(store, asked);
    });

    test("two verifications at once do not disturb each other or the requests", async () => {
      const made = await customer(store, { credit: 1_000n });
      const work = Array.from({ length: 50 }, async () => {
        await post(store, await admitted(store, made, 3n), 2n);
      });
      const checks = Array.from({ length: 4 }, () => store.ledger.verify());
      const [verified] = await Promise.all([Promise.all(checks), Promise.all(work)]);
      expect(verified.flatMap(({ problems }) => problems)).toEqual([]);
    });
  });
}
