import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES, POSTGRES } from "../../../test/store/engines.ts";
import { customer, key as newKey } from "../../../test/store/samples.ts";
import { happened, requestIdOf } from "../../../test/store/traffic.ts";
import { isFull } from "../../../test/support/counts.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { NewKey } from "../../accounts/account.ts";
import type { ConsoleStore, RequestFilter, RequestQuery } from "../../console/store.ts";
import type { Receipt } from "../../ledger/receipt.ts";
import { idTime } from "../../lib/ids.ts";
import { consoleReads } from "./console-reads.ts";
import type { MoneyReader } from "./reader.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 8, 1);
const MODELS = ["model-1.0", "model-2.0", "rare"] as const;

/** Looks at so little that every search has to be taken up again and again. */
const TINY = { rowsMax: 3, guideDays: 5, daysMax: 2, guidesMax: 2 };

function outcomeOf(i: number): "ok" | "error" | "refused" {
  if (i % 11 === 3) return "refused";
  return i % 7 === 2 ? "error" : "ok";
}

function fits(receipt: Receipt, query: Omit<RequestQuery, "limit" | "accountId">): boolean {
  const status =
    receipt.status < 400 ? "ok" : receipt.billingReason === "refused" ? "refused" : "error";
  return (
    (query.keyId ?? receipt.keyId) === receipt.keyId &&
    (query.model ?? receipt.model) === receipt.model &&
    (query.status ?? status) === status &&
    receipt.createdAtMs >= (query.fromMs ?? 0) &&
    receipt.createdAtMs < (query.toMs ?? Number.MAX_SAFE_INTEGER)
  );
}

describe.each(ENGINES)("requests on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const money = perSuite(() => site.reads());
  /** By itself: a plan that SQLite was asked for keeps its reader at the moment of then. */
  const planned = perSuite(() => site.reads());
  let keys: NewKey[];
  let stranger: NewKey;
  const receipts: Receipt[] = [];

  beforeAll(async () => {
    const first = await customer(store, { credit: 10n ** 12n });
    stranger = await customer(store, { credit: 10n ** 12n });
    const second = newKey(first.accountId, { name: "second" });
    const silent = newKey(first.accountId, { name: "silent" });
    await store.accounts.createKey(second);
    await store.accounts.createKey(silent);
    keys = [first, second, silent];
    // Bursts with quiet days between them, and requests on both sides of a full hour.
    for (let burst = 0; burst < 5; burst++) {
      const one = async (_: unknown, at: number) => {
        const i = burst * 30 + at;
        const atMs = START_MS + burst * 9 * DAY_MS + i * 1_117_000 - (i % 2);
        const model = MODELS[i % 50 === 7 ? 2 : i % 2];
        const key = i % 5 === 0 ? second : first;
        const traffic = { key, atMs, outcome: outcomeOf(i), cost: BigInt(i) };
        const [receipt] = await Promise.all([
          happened(store, model ? { ...traffic, model } : traffic),
          happened(store, { key: stranger, atMs, cost: 1n }),
        ]);
        return receipt;
      };
      // Together, so that they share their commits.
      receipts.push(...(await Promise.all(Array.from({ length: 30 }, one))));
    }
    // The clock was set back over a full hour: ids stay ahead of it until it has caught up.
    for (let day = 0; day < 40; day += 9) {
      const atMs = START_MS + day * DAY_MS + 5 * HOUR_MS;
      const over = { createdAtMs: atMs - 1_500 };
      receipts.push(await happened(store, { key: first, atMs: atMs + 500, over }));
    }
    // It was set back or forward by far: ids stay ahead for as long, or their request is dated later than they are.
    for (const [at, hours] of [0.3, 1.5, 4, 30, 24 * 12, -0.2, -3].entries()) {
      for (let i = 0; i < 3; i++) {
        const atMs = START_MS + at * 5 * DAY_MS + 20 * HOUR_MS + i * 1_000;
        const over = { createdAtMs: Math.floor(atMs - hours * HOUR_MS) };
        const key = i === 1 ? second : first;
        const traffic = { key, atMs, over, outcome: outcomeOf(at * 3 + i) };
        receipts.push(await happened(store, { ...traffic, model: MODELS[i] ?? "rare" }));
      }
    }
  });

  /**
   * Row by row is by far the most work, and so is whatever may look at little. What PostgreSQL is asked is the same text.
   * For both, each filter once will do.
   */
  function limitsFor(at: number, isTiny: boolean): readonly number[] {
    if (isFull) return [1, 7, 200];
    if (isTiny || engine === POSTGRES) return [at % 4 === 0 ? 1 : at % 2 === 0 ? 200 : 7];
    return at % 4 === 0 ? [1, 7, 200] : [7, 200];
  }

  /** All pages of a list, one after the other. */
  async function walked(reads: ConsoleStore, query: RequestQuery): Promise<string[]> {
    const ids: string[] = [];
    let beforeId = query.beforeId;
    for (let pages = 0; pages < 1_000; pages++) {
      const { rows, next } = await reads.listRequests({ ...query, beforeId });
      expect(rows.length).toBeLessThanOrEqual(query.limit);
      ids.push(...rows.map(({ id }) => id));
      if (next === null) return ids;
      expect(next < (beforeId ?? "req_~")).toBe(true);
      beforeId = next;
    }
    throw new Error("the list does not end");
  }

  function expected(query: Omit<RequestQuery, "limit" | "accountId">): string[] {
    const fit = receipts.filter((receipt) => fits(receipt, query));
    return fit
      .map(({ requestId }) => requestId)
      .toSorted()
      .toReversed();
  }

  const cases = (): Omit<RequestQuery, "limit" | "accountId">[] => [
    {},
    { keyId: keys[1]?.id },
    { keyId: keys[2]?.id },
    { model: "rare" },
    { model: "never-asked-for" },
    { status: "ok" },
    { status: "error" },
    { status: "refused" },
    { keyId: keys[0]?.id, model: "model-2.0", status: "error" },
    { fromMs: START_MS + 9 * DAY_MS, toMs: START_MS + 20 * DAY_MS },
    { fromMs: START_MS + 8 * DAY_MS, toMs: START_MS + 10 * DAY_MS, status: "error" },
    { toMs: START_MS + HOUR_MS, model: "model-1.0" },
    { toMs: START_MS + 5 * HOUR_MS },
    { toMs: START_MS + 5 * HOUR_MS, model: "model-1.0" },
    { fromMs: (receipts[60] as Receipt).createdAtMs, model: "model-1.0" },
    { fromMs: START_MS + 900 * DAY_MS, model: "model-1.0" },
  ];

  test.each([
    ["as it is", undefined],
    ["when it may look at next to nothing", TINY],
  ])("every page of every filter together is what was asked for, %s", async (_name, limits) => {
    const reads = consoleReads(money.reader, limits);
    const { accountId } = keys[0] as NewKey;
    for (const [at, query] of cases().entries()) {
      for (const limit of limitsFor(at, limits === TINY)) {
        const found = await walked(reads, { ...query, accountId, limit });
        expect({ query, limit, found }).toEqual({ query, limit, found: expected(query) });
      }
    }
  });

  test("a page that fits is full at once, and the last one says so", async () => {
    const { accountId } = keys[0] as NewKey;
    const { reads } = money;
    const query = { accountId, keyId: keys[1]?.id };
    const all = expected({ keyId: keys[1]?.id }).length;
    const page = await reads.listRequests({ ...query, limit: all });
    expect([page.rows.length, page.next]).toEqual([all, null]);
    const part = await reads.listRequests({ ...query, limit: all - 1 });
    expect([part.rows.length, part.next]).toEqual([all - 1, part.rows.at(-1)?.id ?? ""]);
  });

  test("ids that tell another time than their requests have are found in a table of theirs", async () => {
    const { accountId } = keys[0] as NewKey;
    const plans: string[] = [];
    const explain = engine === POSTGRES ? "explain" : "explain query plan";
    const { nowMsSql } = money.reader;
    const astray = "astray_receipts";
    const reader: MoneyReader = {
      ...{ nowMsSql, close: async () => {} },
      async read(statements) {
        for (const { text, params } of statements.filter(({ text }) => text.includes(astray))) {
          const plan = await planned.reader.read([{ text: `${explain} ${text}`, params }]);
          plans.push(JSON.stringify(plan));
        }
        return money.reader.read(statements);
      },
    };
    await consoleReads(reader).listRequests({ accountId, model: "rare", limit: 10 });
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toMatch(/astray_receipts_pkey|SEARCH r USING PRIMARY KEY/);
      expect(plan).not.toContain("receipts_of_account");
      expect(plan).not.toMatch(/Seq Scan|SCAN r\b/);
    }
  });

  test("a row has what the list shows", async () => {
    const { accountId } = keys[0] as NewKey;
    const receipt = receipts[5] as Receipt;
    const [row, ...others] = await money.reads.requestsById(accountId, receipt.requestId);
    expect(others).toEqual([]);
    expect(row).toEqual({
      id: receipt.requestId,
      createdAtMs: receipt.createdAtMs,
      keyId: keys[1]?.id ?? "",
      keyName: "second",
      model: "model-2.0",
      servedModel: null,
      endpoint: "chat",
      stream: false,
      httpStatus: 200,
      billingReason: "completed",
      errorCode: null,
      channel: "sandbox",
      inputTokens: 16,
      outputTokens: 20,
      cost: 5n,
      durationMs: 30,
      requests: 1,
      lastAtMs: null,
      firstByteMs: 12,
    });
  });

  test("is found by the id of its answer, and only by its own account", async () => {
    const [key] = keys as [NewKey];
    const over = { responseId: "resp_wanted" };
    const made = await happened(store, { key, atMs: START_MS, over });
    receipts.push(made);
    const { reads } = money;
    const idsOf = async (accountId: string, id: string) =>
      (await reads.requestsById(accountId, id)).map((row) => row.id);
    expect(await idsOf(key.accountId, "resp_wanted")).toEqual([made.requestId]);
    expect(await idsOf(stranger.accountId, "resp_wanted")).toEqual([]);
    expect(await idsOf(stranger.accountId, made.requestId)).toEqual([]);
    expect(await reads.findRequest(stranger.accountId, made.requestId)).toBeUndefined();
    expect(await reads.findRequest(key.accountId, "resp_wanted")).toMatchObject({
      receipt: { requestId: made.requestId },
      keyName: "laptop",
      ends: [{ kind: "post", amount: 0n }],
    });
  });

  test("the tail has what came and what ended since", async () => {
    const key = await customer(store, { credit: 10n ** 9n });
    const at = START_MS + 100 * DAY_MS;
    const old = await happened(store, { key, atMs: at });
    const last = await happened(store, { key, atMs: at + 60_000 });
    const filter: RequestFilter = { accountId: key.accountId };
    const since = async (limits: RequestFilter = filter) =>
      (await money.reads.requestsSince(limits, last.requestId, 50)).map(({ id }) => id);
    expect(await since()).toEqual([]);
    const slow = await happened(store, {
      key,
      atMs: at + 30_000,
      over: { durationMs: 45_000 },
    });
    const newer = await happened(store, { key, atMs: at + 61_000, model: "model-2.0" });
    expect(await since()).toEqual([newer.requestId, slow.requestId]);
    expect(await since({ ...filter, model: "model-2.0" })).toEqual([newer.requestId]);
    expect(await since({ ...filter, status: "error" })).toEqual([]);
    expect(await since({ accountId: stranger.accountId })).toEqual([]);
    const unknown = requestIdOf(idTime(old.requestId) ?? 0);
    const all = await money.reads.requestsSince(filter, unknown, 2);
    expect(all.map(({ id }) => id)).toEqual([newer.requestId, last.requestId]);
  });
});
