// Overdrafts that operators change while requests run, with several processes on one database.
import { describe, expect, test } from "bun:test";
import { ENGINES, SQLITE } from "../../../test/store/engines.ts";
import {
  account,
  admitted,
  credit,
  customer,
  key,
  post,
  raise,
  request,
  total,
} from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { newId } from "../../lib/ids.ts";
import type { Store } from "../store.ts";

describe.each(ENGINES)("on $name", (engine) => {
  const here = perTest(async (parts) => {
    const site = await engine.site(parts);
    const store = await site.open();
    // Only one process serves from files.
    const other = await site.open({ serve: engine !== SQLITE });
    return { store, other };
  });
  const debit = (store: Store, accountId: string, amount: bigint) =>
    store.ledger.debit({
      ...{ id: newId("deb_"), accountId, kind: "refund", amount, note: "", createdAtMs: 1 },
    });
  const right = async (store: Store) => expect((await store.ledger.verify()).problems).toEqual([]);

  test("a change counts in every process from the next request", async () => {
    const { store, other } = here;
    const made = await customer(store, { credit: 10n });
    await store.accounts.updateAccount(made.accountId, { overdraft: 7n });
    for (const each of [store, other]) {
      expect((await each.accounts.findKey(made.hash))?.overdraft).toBe(7n);
    }
    await other.accounts.updateAccount(made.accountId, { overdraft: 0n });
    for (const each of [store, other]) {
      expect((await each.accounts.findKey(made.hash))?.overdraft).toBe(0n);
    }
  });

  test("one that is lowered below what was used refuses, and keeps what runs", async () => {
    const { store, other } = here;
    const made = await customer(store, { credit: 10n });
    const running = await admitted(store, made, 40n, { overdraft: 50n });
    // Lowered to nothing: the hold of before takes more than there is, and others wait for it.
    const held = await other.admission.admit(request(made, 5n));
    expect(held.kind).toBe("wait");
    expect(await raise(other, running, 5n, { overdraft: 0n })).toEqual({ kind: "ended" });
    expect(await post(store, running, 40n)).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 40n, held: 0n });
    for (const overdraft of [0n, 29n, 30n]) {
      const refused = await other.admission.admit(request(made, 1n, { overdraft }));
      expect(refused).toMatchObject({ kind: "exceeded", used: 40n, max: 10n + overdraft });
    }
    expect((await admitted(store, made, 9n, { overdraft: 31n, least: 1n })).held).toBe(1n);
    await right(store);
  });

  test("one without credit is spent, and paid back by what is credited next", async () => {
    const { store, other } = here;
    const made = await customer(store, { credit: 0n });
    await post(store, await admitted(store, made, 5n, { overdraft: 5n }), 5n);
    expect(await other.admission.admit(request(made, 1n, { overdraft: 5n }))).toMatchObject({
      kind: "exceeded",
    });
    await credit(other, made.accountId, 7n);
    expect((await store.admission.admit(request(made, 3n))).kind).toBe("short");
    expect((await admitted(store, made, 2n)).held).toBe(2n);
    await right(store);
  });

  test("a refund takes no overdraft, and nothing that a request holds of it", async () => {
    const { store, other } = here;
    const made = await customer(store, { credit: 10n });
    const running = await admitted(store, made, 12n, { overdraft: 5n });
    expect(await debit(other, made.accountId, 1n)).toBe("short");
    await post(store, running, 8n);
    expect(await debit(other, made.accountId, 3n)).toBe("short");
    expect(await debit(other, made.accountId, 2n)).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ credited: 8n, charged: 8n });
    // A balance of nothing has its overdraft all the same.
    const alone = await admitted(store, made, 9n, { overdraft: 5n, least: 1n });
    expect(alone.held).toBe(5n);
    await right(store);
  });

  test("refunds and requests at once take no more than there is", async () => {
    const { store, other } = here;
    const made = await customer(store, { credit: 100n });
    const takers = [store, other];
    const results = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const taker = takers[i % 2] as Store;
        if (i % 4 === 0) return debit(taker, made.accountId, 7n);
        const asked = request(made, 11n, { overdraft: 20n });
        const outcome = await taker.admission.admit(asked);
        if (outcome.kind === "admitted") await post(taker, asked, outcome.held);
        return outcome.kind;
      }),
    );
    expect(results).toContain("admitted");
    const balance = await store.ledger.balance(made.accountId);
    expect(balance?.held).toBe(0n);
    expect(balance?.charged).toBeLessThanOrEqual((balance?.credited ?? 0n) + 20n);
    await right(store);
  });

  test("lone requests of many keys at once never pass their balance together", async () => {
    const { store, other } = here;
    const owner = account({ overdraft: 30n });
    await store.accounts.createAccount(owner);
    await credit(store, owner.id, 100n);
    const keys = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const made = key(owner.id, { budgets: total(1n) });
        await store.accounts.createKey(made);
        return made;
      }),
    );
    const takers = [store, other];
    await Promise.all(
      keys.flatMap((made, i) =>
        Array.from({ length: 3 }, async () => {
          const taker = takers[i % 2] as Store;
          const asked = request(made, 5_000n, {
            floor: 40n,
            least: 9n,
            loneLeast: 40n,
            overdraft: 30n,
          });
          const outcome = await taker.admission.admit(asked);
          if (outcome.kind !== "admitted") return;
          // Each is alone in its budget of 1, and may pass that by a short answer.
          expect(outcome.held).toBeLessThanOrEqual(41n);
          await post(taker, asked, outcome.held);
        }),
      ),
    );
    const balance = await store.ledger.balance(owner.id);
    expect(balance?.charged).toBeGreaterThan(0n);
    expect(balance?.charged).toBeLessThanOrEqual(130n);
    await right(store);
  });
});
