import { describe, expect, test } from "bun:test";
import { ENGINES, type Site } from "../../test/store/engines.ts";
import {
  admitted,
  customer,
  post,
  raise,
  receipt,
  recovered,
  voidHold,
} from "../../test/store/samples.ts";
import { type Parts, partsOfTest, perSuite } from "../../test/support/houses/house.ts";

type Money = Parameters<typeof customer>[1];

/** A request whose process was taken for dead, and the store that has voided its hold. */
async function takenForDead(site: Site, parts: Parts, money: Money = { credit: 100n }) {
  const first = await site.open();
  const made = await customer(first, money);
  const late = await admitted(first, made, 30n, { inputCost: 9n });
  await first.close();
  const store = parts.keep(await site.open());
  await store.ledger.recover();
  const found = await store.ledger.findReceipt(late.requestId, made.accountId);
  expect(found).toMatchObject({ billingReason: "interrupted", loss: 9n });
  return { store, made, late };
}

for (const engine of ENGINES) {
  describe(`a request that was taken for dead and ends after all, on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const parts = partsOfTest();
    const endsOf = async (accountId: string, id: string) => {
      const { ends } = (await (await site.reads()).reads.findRequest(accountId, id)) ?? {};
      return ends?.map(({ kind, amount }) => [kind, amount]);
    };

    test("is charged once, and has one receipt, which says how it ended", async () => {
      const daily = { amount: 70n, period: "day", timeZone: "UTC" } as const;
      const { store, made, late } = await takenForDead(site, parts, {
        credit: 100n,
        budgets: [daily],
      });
      const tries = Array.from({ length: 3 }, () => post(store, late, 12n));
      expect((await Promise.all(tries)).sort()).toEqual(["already", "already", "done"]);
      expect(await post(store, late, 99n)).toBe("already");
      expect(await voidHold(store, late)).toBe("already");

      const { accountId, id: keyId } = made;
      expect(await store.ledger.balance(accountId)).toMatchObject({ charged: 12n, held: 0n });
      const weekly = { amount: 60n, period: "week", timeZone: "UTC" } as const;
      await store.accounts.updateKey(keyId, { budgets: [daily, weekly] });
      expect(await store.ledger.spending(keyId)).toMatchObject({
        used: 12n,
        budgets: [{ used: 12n }, { used: 12n }],
      });
      const written = receipt(late, 12n);
      expect(await store.ledger.findReceipt(late.requestId, accountId)).toEqual(written);
      expect(await endsOf(accountId, late.requestId)).toEqual([
        ["void", 0n],
        ["correction", 12n],
      ]);
      expect(await store.ledger.usage({ keyId, sinceMs: 0 })).toMatchObject([
        { requests: 1, failures: 0, cost: 12n },
      ]);
      expect(await recovered(store)).toBe(0);
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test("is what it comes to without a charge, too", async () => {
      const { store, made, late } = await takenForDead(site, parts);
      expect(await voidHold(store, late)).toBe("done");
      expect(await post(store, late, 5n)).toBe("already");
      const found = await store.ledger.findReceipt(late.requestId, made.accountId);
      expect(found).toMatchObject({ billingReason: "upstream_failed", loss: 0n });
      expect(await endsOf(made.accountId, late.requestId)).toEqual([
        ["void", 0n],
        ["correction", 0n],
      ]);
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test("counts for those who come after it, and is no entry of the statement", async () => {
      const { store, made, late } = await takenForDead(site, parts);
      await post(store, late, 120n);
      expect(await store.admission.admit({ ...late, requestId: "req_next" })).toMatchObject({
        kind: "exceeded",
        used: 120n,
      });
      const before = { atMs: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
      const query = {
        accountId: made.accountId,
        before,
        entriesMax: 9,
        beforeDay: 99_999,
        days: 9,
      };
      const part = await (await site.reads()).reads.statement(query);
      expect(part?.entries.map(({ kind }) => kind)).toEqual(["topup"]);
      expect(part?.funds).toMatchObject({ charged: 120n });
    });

    test("leaves a request that ended by itself as it is", async () => {
      const store = parts.keep(await site.open());
      const made = await customer(store, { credit: 100n });
      const failed = await admitted(store, made, 30n);
      await voidHold(store, failed);
      expect(await post(store, failed, 12n)).toBe("already");
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n });
    });

    if (engine.name === "PostgreSQL")
      test("goes on with what is left where it needs more than it held", async () => {
        const { store, late } = await takenForDead(site, parts);
        expect(await raise(store, late, 20n)).toMatchObject({ kind: "granted", granted: 20n });
        await post(store, late, 100n);
        expect(await raise(store, late, 20n)).toEqual({ kind: "ended" });
        expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
      });
  });
}
