import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import { credit, customer } from "../../test/store/samples.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import type { Debit } from "../ledger/books.ts";
import { newId } from "../lib/ids.ts";

const NOW_MS = Date.now();

describe.each(ENGINES)("the id of a debit that is closed on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(async (parts) => {
    const opened = await site.open();
    parts.defer(async () => {
      expect(await opened.ledger.verify()).toMatchObject({ problems: [] });
    });
    return opened;
  });
  const other = perSuite(() => site.open({ serve: false }));

  const debitOf = (accountId: string, amount: bigint): Debit => {
    const told = { kind: "refund", note: "", createdAtMs: NOW_MS } as const;
    return { id: newId("ref_"), accountId, amount, ...told };
  };

  test("is never debited, however much comes", async () => {
    const { accountId } = await customer(store, { credit: 10n });
    const debit = debitOf(accountId, 30n);
    expect(await store.ledger.debit(debit)).toBe("short");
    expect(await store.ledger.closeDebit(debit)).toBe(0n);
    await credit(store, accountId, 100n);
    for (const { ledger } of [store, other]) {
      expect(await ledger.debit(debit)).toBe("short");
      expect(await ledger.closeDebit(debit)).toBe(0n);
    }
    expect(await store.ledger.balance(accountId)).toMatchObject({ credited: 110n });
  });

  test("tells what was debited before", async () => {
    const { accountId } = await customer(store, { credit: 100n });
    const debit = debitOf(accountId, 30n);
    expect(await other.ledger.debit(debit)).toBe("done");
    expect(await store.ledger.closeDebit(debit)).toBe(30n);
    expect(await store.ledger.debit(debit)).toBe("already");
    expect(await store.ledger.balance(accountId)).toMatchObject({ credited: 70n });
  });

  test("is one or the other for all who debit and close it at the same instant", async () => {
    const { accountId } = await customer(store, { credit: 1_000n });
    let taken = 0n;
    for (let i = 0; i < 20; i++) {
      const debit = debitOf(accountId, 10n);
      const [from, by] = i % 2 ? [store, other] : [other, store];
      const asked = [from.ledger.debit(debit), by.ledger.closeDebit(debit)] as const;
      const [outcome, closed] = await Promise.all(asked);
      expect(closed).toBe(outcome === "done" ? 10n : 0n);
      taken += closed;
    }
    expect(await store.ledger.balance(accountId)).toMatchObject({ credited: 1_000n - taken });
  });

  test("is no line of the statement", async () => {
    const { accountId } = await customer(store, { credit: 10n });
    await store.ledger.closeDebit(debitOf(accountId, 30n));
    const query = { accountId, before: { atMs: NOW_MS + 1_000, seq: Number.MAX_SAFE_INTEGER } };
    const days = { entriesMax: 9, days: 1, beforeDay: 0 };
    const part = await (await site.reads()).reads.statement({ ...query, ...days });
    expect(part?.entries.map(({ amount }) => amount)).toEqual([10n]);
  });
});
