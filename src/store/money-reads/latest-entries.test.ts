import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { customer } from "../../../test/store/samples.ts";
import { happened } from "../../../test/store/traffic.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { newId } from "../../lib/ids.ts";
import { latestEntries } from "./latest-entries.ts";

describe.each(ENGINES)("the latest entries of an account on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const books = perSuite(async () => ({ latest: latestEntries((await site.reads()).reader) }));

  test("are its credits and debits as they were written, whatever the clock said", async () => {
    const key = await customer(store, { credit: 100n });
    const { accountId } = key;
    await happened(store, { key, atMs: Date.now(), cost: 7n });
    const [topUp, back, gift] = [newId("ord_"), newId("ref_"), newId("crd_")];
    const move = { accountId, note: "", createdAtMs: 9_000 };
    await store.ledger.credit({ ...move, id: topUp, amount: 50n, kind: "topup" });
    await store.ledger.debit({ ...move, id: back, amount: 20n, kind: "refund", createdAtMs: 5 });
    await store.ledger.credit({ ...move, id: gift, amount: 5n, kind: "topup", createdAtMs: 7 });
    await customer(store, { credit: 3n });
    const first = await books.latest(accountId, 2);
    expect(first).toMatchObject({
      credited: 135n,
      entries: [
        { id: gift, kind: "topup", amount: 5n },
        { id: back, kind: "refund", amount: 20n },
      ],
    });
    const rest = await books.latest(accountId, 9, first.entries.at(-1)?.seq);
    expect(rest.entries.map(({ amount }) => amount)).toEqual([50n, 100n]);
  });

  test("of nobody are none", async () => {
    expect(await books.latest("acct_nobody", 9)).toEqual({ credited: 0n, entries: [] });
  });
});
