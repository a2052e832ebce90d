import { describe, expect, test } from "bun:test";
import { ENGINES, type Site } from "../../test/store/engines.ts";
import {
  admitted,
  customer,
  key,
  onlyBudget,
  post,
  raise,
  receipt,
  recovered,
  request,
  SOFT,
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
      await post(store, late, 100n);
      expect(await store.admission.admit({ ...late, requestId: "req_next" })).toMatchObject({
        kind: "exceeded",
        used: 100n,
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
      expect(part?.funds).toMatchObject({ charged: 100n });
    });

    test("is charged what its balance has left, and the rest is the house's loss", async () => {
      const { store, made, late } = await takenForDead(site, parts);
      const { accountId } = made;
      // Others were given its money meanwhile: some of it is spent, some is held.
      await post(store, await admitted(store, made, 60n), 60n);
      const running = await admitted(store, made, 25n);
      expect(await post(store, late, 30n, { leeway: SOFT })).toBe("done");
      expect(await store.ledger.balance(accountId)).toMatchObject({ charged: 75n, held: 25n });
      const written = await store.ledger.findReceipt(late.requestId, accountId);
      expect(written).toMatchObject({ billingReason: "completed", loss: 15n });
      expect(written?.charge.amount).toBe(15n);
      expect(written?.charge.lines.at(-1)).toMatchObject({ item: "beyond_hold", quantity: 1 });
      await post(store, running, 25n);
      expect(await store.ledger.balance(accountId)).toMatchObject({ charged: 100n, held: 0n });
      expect(await store.ledger.usage({ keyId: made.id, sinceMs: 0 })).toMatchObject([
        { requests: 3, cost: 100n },
      ]);
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test.each([
      ["nothing, where all of its balance is gone", SOFT, 0n],
      ["an overdraft, where all of its balance is gone", { ...SOFT, overdraft: 4n }, 4n],
    ] as const)("is charged %s", async (_what, leeway, charged) => {
      const { store, made, late } = await takenForDead(site, parts);
      await post(store, await admitted(store, made, 100n), 100n);
      expect(await post(store, late, 30n, { leeway })).toBe("done");
      const found = await store.ledger.findReceipt(late.requestId, made.accountId);
      expect(found).toMatchObject({ charge: { amount: charged }, loss: 30n - charged });
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test.each([
      ["no hard budget", { ...SOFT, hard: true }, 10n],
      ["a soft budget by no more than a lone request may", { ...SOFT, loneMax: 7n }, 17n],
    ] as const)("passes %s", async (_what, leeway, charged) => {
      const { store, made, late } = await takenForDead(site, parts, { credit: 100n, budget: 40n });
      await post(store, await admitted(store, made, 30n), 30n);
      expect(await post(store, late, 30n, { leeway })).toBe("done");
      const found = await store.ledger.findReceipt(late.requestId, made.accountId);
      expect(found).toMatchObject({ charge: { amount: charged }, loss: 30n - charged });
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 30n + charged, held: 0n });
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test.each([
      ["a hard budget has less left than the balance", { ...SOFT, hard: true }, 70n, 10n],
      ["the balance has less left than a hard budget", { ...SOFT, hard: true }, 92n, 8n],
      ["the balance has less left than a soft budget allows", SOFT, 92n, 8n],
    ] as const)("is charged the least of its scopes where %s", async (...args) => {
      const [, leeway, spent, charged] = args;
      const { store, made, late } = await takenForDead(site, parts, { credit: 100n, budget: 40n });
      const other = key(made.accountId);
      await store.accounts.createKey(other);
      await post(store, await admitted(store, made, 30n), 30n);
      await post(store, await admitted(store, other, spent - 30n), spent - 30n);
      expect(await post(store, late, 25n, { leeway })).toBe("done");
      const found = await store.ledger.findReceipt(late.requestId, made.accountId);
      expect(found).toMatchObject({ charge: { amount: charged }, loss: 25n - charged });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({
        charged: spent + charged,
      });
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test("never passes its balance beside those who ask for it at the same moment", async () => {
      const { store, made, late } = await takenForDead(site, parts);
      const asked = Array.from({ length: 20 }, () => request(made, 9n));
      const [, ...outcomes] = await Promise.all([
        post(store, late, 30n, { leeway: SOFT }),
        ...asked.map((each) => store.admission.admit(each)),
      ]);
      const balance = await store.ledger.balance(made.accountId);
      expect((balance?.charged ?? 0n) + (balance?.held ?? 0n)).toBeLessThanOrEqual(100n);
      const letIn = asked.filter((_, i) => outcomes[i]?.kind === "admitted");
      await Promise.all(letIn.map((each) => post(store, each, 9n)));
      const after = await store.ledger.balance(made.accountId);
      expect(after?.charged).toBeLessThanOrEqual(100n);
      expect(after?.charged).toBeGreaterThan(90n);
      expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
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
