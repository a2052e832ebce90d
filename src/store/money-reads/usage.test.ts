import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { credit, customer, key as newKey } from "../../../test/store/samples.ts";
import { happened } from "../../../test/store/traffic.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { NewKey } from "../../accounts/account.ts";
import {
  NEWEST_PLACE,
  placeToText,
  readPlace,
  type StatementLine,
  statementPage,
} from "../../console/usage/statement.ts";
import { startReadThread } from "../sqlite/read-thread.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 8, 1);
const START_HOUR = START_MS / HOUR_MS;

describe.each(ENGINES)("usage on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const reads = perSuite(async () => (await site.reads()).reads);
  let first: NewKey;
  let second: NewKey;

  beforeAll(async () => {
    first = await customer(store, { credit: 10n ** 12n });
    second = newKey(first.accountId, { name: "second" });
    await store.accounts.createKey(second);
    const stranger = await customer(store, { credit: 10n ** 12n });
    const traffic = [
      { key: first, atMs: START_MS, cost: 5n },
      { key: first, atMs: START_MS + HOUR_MS - 1, cost: 7n, model: "model-2.0" },
      { key: second, atMs: START_MS + HOUR_MS, cost: 11n },
      { key: second, atMs: START_MS + 3 * HOUR_MS, outcome: "error" as const },
      { key: stranger, atMs: START_MS, cost: 100n },
    ];
    for (const one of traffic) await happened(store, one);
  });

  const range = (from: number, to: number) => ({
    accountId: first.accountId,
    fromHour: START_HOUR + from,
    toHour: START_HOUR + to,
  });
  const sums = (requests: number, cost: bigint, failures = 0) => ({
    requests,
    failures,
    inputTokens: 16 * requests,
    cachedTokens: 3 * requests,
    outputTokens: 20 * requests,
    cost,
  });

  test("by hour, in order, only of the range, the key and the model", async () => {
    expect(await reads.usageByHour(range(0, 4))).toEqual([
      { hour: START_HOUR, ...sums(2, 12n) },
      { hour: START_HOUR + 1, ...sums(1, 11n) },
      { hour: START_HOUR + 3, ...sums(1, 0n, 1) },
    ]);
    expect(await reads.usageByHour(range(1, 3))).toHaveLength(1);
    const ofKey = await reads.usageByHour({ ...range(0, 4), keyId: first.id, model: "model-2.0" });
    expect(ofKey).toEqual([{ hour: START_HOUR, ...sums(1, 7n) }]);
  });

  test("by model and by key, the dearest first", async () => {
    expect(await reads.usageByModel(range(0, 4))).toEqual([
      { model: "model-1.0", ...sums(3, 16n, 1) },
      { model: "model-2.0", ...sums(1, 7n) },
    ]);
    expect(await reads.usageByKey(range(0, 4))).toEqual([
      { keyId: first.id, keyName: "laptop", ...sums(2, 12n) },
      { keyId: second.id, keyName: "second", ...sums(2, 11n, 1) },
    ]);
  });

  test("what cost the same is listed by its name", async () => {
    const owner = await customer(store, { credit: 10n ** 6n });
    const keys = Array.from({ length: 8 }, () => newKey(owner.accountId));
    const models = ["m", "c", "x", "a", "z", "b", "k", "d"];
    for (const [i, key] of keys.toReversed().entries()) {
      await store.accounts.createKey(key);
      await happened(store, { key, atMs: START_MS, cost: 1n, model: models[i] ?? "" });
    }
    const filter = { ...range(0, 4), accountId: owner.accountId };
    const byModel = (await reads.usageByModel(filter)).map(({ model }) => model);
    expect(byModel).toEqual(models.toSorted());
    const byKey = (await reads.usageByKey(filter)).map(({ keyId }) => keyId);
    expect(byKey).toEqual(keys.map(({ id }) => id));
  });

  test("money and usage of an account are of one moment; another one has none", async () => {
    const { accountId } = first;
    await store.accounts.updateAccount(accountId, { overdraft: 7n });
    const standing = await reads.standing(accountId, range(0, 4));
    const funds = { credited: 10n ** 12n, charged: 23n, held: 0n, overdraft: 7n };
    expect(standing).toMatchObject({ ...funds, hasKey: true });
    expect(standing?.hours).toHaveLength(3);
    expect(await reads.standing("acct_none", range(0, 4))).toBeUndefined();
  });

  test("keys are those of the account, each with how it stands", async () => {
    const listed = await reads.listKeys(first.accountId);
    expect(listed.map(({ id, used }) => [id, used]).toSorted()).toEqual(
      [
        [first.id, 12n],
        [second.id, 11n],
      ].toSorted(),
    );
    expect(await reads.findKey(first.accountId, second.id)).toMatchObject({ name: "second" });
    expect(await reads.findKey("acct_none", second.id)).toBeUndefined();
  });
});

describe.each(ENGINES)("statements on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const reads = perSuite(async () => (await site.reads()).reads);
  let key: NewKey;
  const nowMs = START_MS + 400 * DAY_MS + 5 * HOUR_MS;

  beforeAll(async () => {
    key = await customer(store, { credit: 0n });
    // Credit on some days, usage on others; a year without anything in between.
    for (const day of [0, 1, 1, 30, 70, 399, 400]) {
      const createdAtMs = START_MS + day * DAY_MS + 2 * HOUR_MS;
      const id = `ref_${key.id}_${day}_${Math.random()}`;
      const accountId = key.accountId;
      await store.ledger.credit({
        id,
        accountId,
        amount: 100n,
        kind: "topup",
        note: "n",
        createdAtMs,
      });
    }
    for (const day of [0, 1, 2, 3, 69, 70, 71, 140, 400]) {
      for (const hour of [1, 4]) {
        const atMs = START_MS + day * DAY_MS + hour * HOUR_MS;
        await happened(store, { key, atMs, cost: BigInt(day % 10) + 1n });
      }
    }
    await happened(store, { key, atMs: START_MS + 200 * DAY_MS, outcome: "refused" });
    await credit(store, (await customer(store, { credit: 5n })).accountId, 7n);
  });

  async function walked(limit: number, { accountId } = key): Promise<StatementLine[]> {
    const lines: StatementLine[] = [];
    let place = NEWEST_PLACE;
    for (let pages = 0; pages < 100; pages++) {
      const page = await statementPage(reads, accountId, place, limit);
      if (!page) throw new Error("no account");
      expect(page.lines.length).toBeLessThanOrEqual(limit);
      lines.push(...page.lines);
      if (!page.next) return lines;
      place = readPlace(placeToText(page.next)) ?? place;
    }
    throw new Error("the statement does not end");
  }

  /** Each line has the balance after it, and before the first of them there was none. */
  async function expectSound(lines: readonly StatementLine[], { accountId } = key): Promise<void> {
    const balance = await store.ledger.balance(accountId);
    let running = (balance?.credited ?? 0n) - (balance?.charged ?? 0n);
    for (const line of lines) {
      expect(line.balanceAfter).toBe(running);
      running -= line.amount;
    }
    expect(running).toBe(0n);
  }

  test.each([1, 2, 5, 50])(
    "by pages of %d it is complete and its balance runs to zero",
    async (limit) => {
      const lines = await walked(limit);
      const days = lines.filter(({ kind }) => kind === "usage").map(({ day }) => day);
      const dated = [0, 1, 2, 3, 69, 70, 71, 140, 400].map((day) =>
        new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10),
      );
      expect(days).toEqual(dated.toReversed());
      expect(lines.filter(({ kind }) => kind === "topup")).toHaveLength(7);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(16);
      const times = lines.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      await expectSound(lines);
    },
  );

  test.each([1, 2, 50])(
    "by pages of %d has what was dated ahead before a clock was set back",
    async (limit) => {
      const ahead = await customer(store, { credit: 0n });
      const { accountId } = ahead;
      for (const [days, amount] of [
        [3, 100n],
        [0, 5n],
      ] as const) {
        const createdAtMs = nowMs + days * DAY_MS;
        const id = `ref_${ahead.id}_${days}`;
        const entry = { id, accountId, amount, kind: "topup", note: "n", createdAtMs } as const;
        await store.ledger.credit(entry);
      }
      await happened(store, { key: ahead, atMs: nowMs + 40 * DAY_MS, cost: 7n });
      const lines = await walked(limit, ahead);
      expect(lines.map(({ amount }) => amount)).toEqual([-7n, 100n, 5n]);
      await expectSound(lines, ahead);
    },
  );

  test("of an account that is not there is none", async () => {
    expect(await statementPage(reads, "acct_none", NEWEST_PLACE, 5)).toBeUndefined();
  });
});

describe("a thread that reads", () => {
  test("says what is wrong with a file that it cannot open", async () => {
    const failure = await startReadThread("/nowhere/at/all.sqlite").then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(failure?.name).toBe("StorageError");
  });
});
