import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, receipt } from "../../../test/store/samples.ts";
import { happened, requestIdOf } from "../../../test/store/traffic.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { NewKey } from "../../accounts/account.ts";
import type { Receipt } from "../../ledger/receipt.ts";
import type { Store } from "../store.ts";
import { operatorBooks } from "./operator-books.ts";

const DAY_MS = 86_400_000;
const DAY = 20_700;
const START_MS = DAY * DAY_MS;

/** A request that was admitted for less than it came to. */
async function beyond(store: Store, key: NewKey, held: bigint, cost: bigint, atMs: number) {
  const asked = await admitted(store, key, held, { requestId: requestIdOf(atMs) });
  const settled = receipt(asked, cost, { createdAtMs: atMs, held });
  await store.ledger.settle({ kind: "post", receipt: settled });
  return settled;
}

describe.each(ENGINES)("what operators read of channels, on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const books = perSuite(async () => {
    const { reader } = await site.reads();
    return operatorBooks(reader, async () => ({ engine: "sqlite", bytes: 1, parts: [] }));
  });
  let key: NewKey;
  const overages: Receipt[] = [];

  beforeAll(async () => {
    key = await customer(store, { credit: 10n ** 12n });
    const other = await customer(store, { credit: 10n ** 12n });
    const second = { channel: "second", priceVersion: "console/2" };
    await happened(store, { key, atMs: START_MS, cost: 5n });
    await happened(store, { key: other, atMs: START_MS + DAY_MS - 1, cost: 7n });
    await happened(store, { key, atMs: START_MS + DAY_MS, cost: 11n, over: second });
    const fallback = { ...second, servedModel: "model-2.0" };
    await happened(store, { key, atMs: START_MS + DAY_MS, cost: 13n, over: fallback });
    const failed = { loss: 3n };
    await happened(store, { key, atMs: START_MS, outcome: "error", over: failed });
    await happened(store, { key, atMs: START_MS, outcome: "refused", over: { channel: null } });
    for (const [held, cost] of [
      [10n, 12n],
      [10n, 90n],
      [10n, 40n],
    ] as const) {
      const atMs = START_MS + 3 * DAY_MS + overages.length * 1_000;
      overages.push(await beyond(store, key, held, cost, atMs));
    }
  });

  const days = (from: number, to: number) => ({ fromDay: DAY + from, toDay: DAY + to });

  test("keys are counted by their accounts, but for those that are deleted or unknown", async () => {
    const [other, gone] = [
      await customer(store, { credit: 1n }),
      await customer(store, { credit: 1n }),
    ];
    await store.accounts.deleteKey(gone.id, START_MS);
    const counts = await books.keysAmong([key.id, other.id, gone.id, "key_none"]);
    expect(Object.fromEntries(counts)).toEqual({ [key.accountId]: 1, [other.accountId]: 1 });
    expect(await books.keysAmong([])).toEqual(new Map());
  });

  test("sums are by channel, model that served and price, of whole days", async () => {
    const [line, ...others] = await books.channelSums(days(0, 1));
    expect(others).toEqual([]);
    expect(line).toEqual({
      channel: "sandbox",
      model: "model-1.0",
      priceVersion: expect.any(String),
      requests: 3,
      failures: 1,
      fresh: 30,
      cacheRead: 9,
      cacheWrite: 6,
      cacheWriteLong: 3,
      output: 60,
      webSearches: expect.any(Number),
      charged: 12n,
      loss: 3n,
      overage: 0n,
    });
    const next = await books.channelSums(days(1, 2));
    const told = next.map(({ channel, model, priceVersion, charged }) =>
      [channel, model, priceVersion, charged].join(" "),
    );
    expect(told.toSorted()).toEqual([
      "second model-1.0 console/2 11",
      "second model-2.0 console/2 13",
    ]);
    expect(await books.channelSums(days(2, 3))).toEqual([]);
  });

  test("what was charged beyond holds is summed, and shown by size", async () => {
    const [line] = await books.channelSums(days(3, 4));
    expect(line?.overage).toBe(112n);
    const all = await books.overages(days(0, 4), { looked: 4, shown: 2 });
    expect(all.rows.map(({ charged, held }) => charged - held)).toEqual([80n, 30n]);
    expect(all.rows[0]).toMatchObject({ id: overages[1]?.requestId, accountId: key.accountId });
    expect(all.sinceMs).toBeUndefined();
    expect((await books.overages(days(0, 3), { looked: 4, shown: 2 })).rows).toEqual([]);
  });

  test("where there are more than may be looked at, it says how far it looked", async () => {
    const { rows, sinceMs } = await books.overages(days(0, 4), {
      looked: 1,
      shown: 2,
    });
    expect(rows.map(({ id }) => id)).toEqual([overages[2]?.requestId ?? ""]);
    expect(sinceMs).toBe(overages[2]?.createdAtMs ?? 0);
  });

  test("of those of one moment the last are looked at", async () => {
    const atMs = START_MS + 20 * DAY_MS;
    const made: string[] = [];
    for (let i = 0; i < 6; i++) made.push((await beyond(store, key, 1n, 5n, atMs)).requestId);
    const looked = await books.overages(days(20, 21), { looked: 3, shown: 3 });
    expect(looked.rows.map(({ id }) => id)).toEqual(made.slice(3));
  });

  test("what input lost is summed by day, by channel and by account, the newest day first", async () => {
    const other = await customer(store, { credit: 1_000n });
    const lost = (inputLoss: bigint, channel = "first") => ({
      inputLoss,
      loss: inputLoss,
      channel,
    });
    for (const [each, day, over] of [
      [key, 30, lost(5n)],
      [key, 30, lost(7n, "second")],
      [other, 30, lost(6n)],
      [other, 31, lost(1n)],
      [other, 31, lost(0n)],
    ] as const) {
      await happened(store, { key: each, atMs: START_MS + day * DAY_MS, cost: 1n, over });
    }
    const { total, byChannel, byAccount } = await books.inputLosses(days(30, 32), 10);
    expect(total).toBe(19n);
    const [first, second] = [DAY + 30, DAY + 31];
    expect(byChannel).toEqual([
      { day: second, of: "first", requests: 1, loss: 1n },
      { day: first, of: "first", requests: 2, loss: 11n },
      { day: first, of: "second", requests: 1, loss: 7n },
    ]);
    expect(byAccount).toEqual([
      { day: second, of: other.accountId, requests: 1, loss: 1n },
      { day: first, of: key.accountId, requests: 2, loss: 12n },
      { day: first, of: other.accountId, requests: 1, loss: 6n },
    ]);
    expect((await books.inputLosses(days(30, 32), 1)).byAccount).toHaveLength(1);
    expect(await books.inputLosses(days(32, 33), 10)).toEqual({
      ...{ total: 0n, byChannel: [], byAccount: [] },
    });
  });

  test("a settlement that is told twice is counted once", async () => {
    const atMs = START_MS + 6 * DAY_MS;
    const settled = await happened(store, { key, atMs, cost: 5n });
    const again = { kind: "post", receipt: settled } as const;
    expect(await store.ledger.settle(again)).toBe("already");
    const [line] = await books.channelSums(days(6, 7));
    expect([line?.requests, line?.charged]).toEqual([1, 5n]);
  });

  test("another process adds to the same days", async () => {
    const atMs = START_MS + 8 * DAY_MS;
    const next = engine.name === "SQLite" ? store : await site.open();
    await Promise.all(
      [store, next, store, next].map((each, i) =>
        happened(each, { key, atMs: atMs + i, cost: 2n }),
      ),
    );
    const lines = await books.channelSums(days(8, 9));
    expect(lines.map(({ requests, charged }) => [requests, charged])).toEqual([[4, 8n]]);
    expect((await store.ledger.verify()).problems).toEqual([]);
  });
});
