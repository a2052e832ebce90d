import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, receipt } from "../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import type { Store } from "../store.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);

type Customer = Awaited<ReturnType<typeof customer>>;

/** A request that cost 5, and lost the house so much since its vendor counted too much input. */
async function lose(store: Store, made: Customer, inputLoss: bigint, day = TODAY, channel = "one") {
  const asked = await admitted(store, made, 30n);
  const createdAtMs = day * DAY_MS + 1;
  const over = { inputLoss, loss: inputLoss, createdAtMs, channel };
  const settlement = { kind: "post", receipt: receipt(asked, 5n, over), tokensBeyondEstimate: 0 };
  await store.ledger.settle(settlement as Parameters<Store["ledger"]["settle"]>[0]);
  return asked;
}

async function knownLoss(store: Store, { hash }: Customer) {
  return (await store.accounts.findKey(hash))?.inputLoss;
}

describe.each(ENGINES)("what an account's input lost on a day, on $name", (engine) => {
  const site = perSuite(engine.site);
  const parts = partsOfTest();
  const open = async () => parts.keep(await site.open());

  test("grows with each receipt, by channel, and is in the books", async () => {
    const store = await open();
    const made = await customer(store, { credit: 1_000n });
    expect(await knownLoss(store, made)).toMatchObject({ amount: 0n });
    const asked = await lose(store, made, 40n);
    await lose(store, made, 2n, TODAY, "two");
    await lose(store, made, 0n);
    await eventually(
      "the loss is known",
      async () => (await knownLoss(store, made))?.amount === 42n,
    );
    expect(await knownLoss(store, made)).toEqual({ day: TODAY, amount: 42n });
    const found = await store.ledger.findReceipt(asked.requestId, made.accountId);
    expect(found).toMatchObject({ inputLoss: 40n, loss: 40n });
    expect((await store.ledger.verify()).problems).toEqual([]);
    const rows = await site.run(
      `select channel, cast(requests as text) as requests, cast(loss as text) as loss
       from input_losses where account_id = '${made.accountId}' order by channel`,
    );
    expect(rows).toEqual([
      { channel: "one", requests: "1", loss: "40" },
      { channel: "two", requests: "1", loss: "2" },
    ]);
    await site.run(`update input_losses set loss = 41 where loss = 40`);
    const { problems } = await store.ledger.verify();
    expect(problems).toEqual([
      `${made.accountId}: what an account's input lost on a day = sum of its receipts does not hold: 41 against 40`,
    ]);
    await site.run(`update input_losses set loss = 40 where loss = 41`);
  });

  test("of an earlier day does not count today", async () => {
    const store = await open();
    const made = await customer(store, { credit: 1_000n });
    await knownLoss(store, made);
    await lose(store, made, 40n, TODAY - 1);
    await store.ledger.verify();
    expect(await knownLoss(store, made)).toEqual({ day: TODAY, amount: 0n });
  });

  test("is known to who starts later in the day", async () => {
    const store = await site.open();
    const made = await customer(store, { credit: 1_000n });
    await lose(store, made, 40n);
    await store.close();
    expect(await knownLoss(await open(), made)).toEqual({ day: TODAY, amount: 40n });
  });

  test("counts the correction of a request that was taken for dead once", async () => {
    const first = await site.open();
    const made = await customer(first, { credit: 1_000n });
    const late = await admitted(first, made, 30n);
    await first.close();
    const store = await open();
    await store.ledger.recover();
    const over = { inputLoss: 7n, loss: 7n, createdAtMs: TODAY * DAY_MS };
    const settlement = { kind: "post", receipt: receipt(late, 5n, over), tokensBeyondEstimate: 0 };
    for (let i = 0; i < 2; i++) {
      await store.ledger.settle(settlement as Parameters<Store["ledger"]["settle"]>[0]);
    }
    await eventually(
      "the loss is known",
      async () => (await knownLoss(store, made))?.amount === 7n,
    );
    expect((await store.ledger.verify()).problems).toEqual([]);
  });
});
