import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { hear } from "../lib/threads/deferred.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import type { Credit } from "./books.ts";
import { Ledger } from "./ledger.ts";
import type { Receipt, Settlement } from "./receipt.ts";
import type { LedgerStore } from "./store.ts";

const { limits } = readConfig({ FAREGATE_SETTLE_WAIT_MS: "30000" });

const RECEIPT: Receipt = {
  requestId: "req_1",
  accountId: "acct_1",
  keyId: "key_1",
  createdAtMs: 0,
  endpoint: "chat",
  model: "m",
  stream: false,
  status: 200,
  billingReason: "completed",
  errorCode: null,
  refusal: null,
  channel: "c",
  servedModel: null,
  attempts: [],
  vendorRequestId: null,
  responseId: null,
  usage: { ...NO_USAGE, fresh: 5 },
  usageSource: "vendor",
  priceVersion: "v",
  charge: {
    lines: [{ item: "input", quantity: 5, unitPico: 1_000n, amountPico: 5_000n }],
    amount: 5n,
  },
  vendorCost: null,
  held: 9n,
  outputClamp: null,
  loss: 0n,
  firstByteMs: 1,
  durationMs: 2,
  requests: 1,
  lastAtMs: null,
  inputLoss: 0n,
};

/** Somebody has set the time of day since the process began. */
const SET_BY_MS = 7_200_000;
const CLOCKS = { clock: () => Date.now() + SET_BY_MS, steady: () => Date.now() };

const POST: Settlement = { kind: "post", receipt: RECEIPT };

/** A ledger over a store that fails as often as it is told, or for ever. */
function setUp(failures: number, answer: "done" | "already" = "done", written?: Receipt) {
  const tried: Settlement[] = [];
  const refused: Receipt[] = [];
  const credited: Credit[] = [];
  const failed: unknown[] = [];
  const released: string[] = [];
  const denied: string[] = [];
  const outage = { left: failures };
  const store: Partial<LedgerStore> = {
    async settle(settlement) {
      tried.push(settlement);
      if (outage.left-- > 0) throw new Error("disk full");
      return answer;
    },
    deny(requestId) {
      denied.push(requestId);
    },
    async findReceipt() {
      return written;
    },
    async credit(credit) {
      credited.push(credit);
      return true;
    },
    async refuse(receipt) {
      refused.push(receipt);
      if (outage.left-- > 0) throw new Error("disk full");
      return 0;
    },
  };
  const tasks = new TaskGroup((thrown) => failed.push(thrown));
  const ledger = new Ledger(store as LedgerStore, limits, CLOCKS, tasks);
  ledger.onRelease = (...ids) => void released.push(...ids);
  return { ledger, store, tasks, tried, refused, credited, failed, released, denied, outage };
}

async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    jest.advanceTimersByTime(10);
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  }
}

/** Bun.sleep keeps real time, so pauses between tries are made virtual with the other timers. */
const realSleep = Bun.sleep;
beforeEach(() => {
  jest.useFakeTimers();
  Bun.sleep = ((ms: number) =>
    new Promise((resolve) => setTimeout(resolve, ms))) as typeof Bun.sleep;
});
afterEach(() => {
  Bun.sleep = realSleep;
  jest.useRealTimers();
});

/** What whoever waits for an end is told in its place. */
function thrownBy(end: PromiseLike<void>): PromiseLike<unknown> {
  return end.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe("settle", () => {
  test("writes once and tells in which scopes money came free", async () => {
    const { ledger, tried, released } = setUp(0);
    await ledger.settle(POST);
    expect(tried).toEqual([POST]);
    expect(released).toEqual(["acct_1", "key_1"]);
  });

  test("those in line for the money hear of it before whoever waits for the end", async () => {
    const { ledger } = setUp(0);
    const order: string[] = [];
    ledger.onRelease = () => void order.push("in line");
    hear(ledger.settle(POST), { came: () => order.push("answered"), failed: () => {} });
    await pass(20);
    expect(order).toEqual(["in line", "answered"]);
  });

  test("a settlement that was written before is as good as done", async () => {
    const { ledger, tried } = setUp(0, "already", RECEIPT);
    await ledger.settle(POST);
    expect(tried).toHaveLength(1);
  });

  test("an answer whose hold was voided by others is not given away", async () => {
    const interrupted = { ...RECEIPT, charge: { lines: [], amount: 0n } };
    const { ledger } = setUp(0, "already", interrupted);
    const fault = await thrownBy(ledger.settle(POST));
    expect(fault).toMatchObject({ fault: "storage_unavailable" });
  });

  test("tries again while storage is out, with the same settlement", async () => {
    const { ledger, tried, released } = setUp(5);
    const settled = ledger.settle(POST);
    await pass(100);
    expect(released).toEqual([]);
    await pass(20_000);
    await settled;
    expect(tried).toHaveLength(6);
    expect(new Set(tried)).toEqual(new Set([POST]));
    expect(released).toEqual(["acct_1", "key_1"]);
  });

  test("does not ask again for what breaks as it is asked for: the client hears, and the hold is voided", async () => {
    const { ledger, store, tasks, tried, released, denied } = setUp(0);
    const settle = store.settle as LedgerStore["settle"];
    store.settle = () => {
      throw new TypeError("a mistake of ours");
    };
    const end = thrownBy(ledger.settle(POST));
    store.settle = settle;
    expect(await end).toMatchObject({ fault: "storage_unavailable" });
    expect([denied, released]).toEqual([["req_1"], ["acct_1", "key_1"]]);
    await pass(100);
    expect(tasks.size).toBe(0);
    expect(tried.map(({ kind }) => kind)).toEqual(["void"]);
  });

  test("pauses longer each time, so that an outage is not made worse", async () => {
    const { ledger, tried } = setUp(Number.POSITIVE_INFINITY);
    void ledger.settle(POST);
    await pass(25_000);
    expect(tried.length).toBeGreaterThan(5);
    expect(tried.length).toBeLessThan(30);
  });

  test("gives up after its time with a 503, and voids as soon as storage is back", async () => {
    const { ledger, tasks, tried, released, outage } = setUp(Number.POSITIVE_INFINITY);
    const end = thrownBy(ledger.settle(POST));
    await pass(27_000);
    expect(tasks.size).toBe(0);
    await pass(4_000);
    const fault = await end;
    expect(fault instanceof Fault && [fault.status, fault.code]).toEqual([
      503,
      "storage_unavailable",
    ]);
    expect(released).toEqual(["acct_1", "key_1"]);
    expect(tasks.size).toBe(1);
    outage.left = 0;
    await pass(3_000);
    expect(tasks.size).toBe(0);
    const last = tried.at(-1);
    expect(last?.kind).toBe("void");
    expect(last?.receipt).toMatchObject({
      requestId: "req_1",
      status: 503,
      billingReason: "gateway_failed",
      errorCode: "storage_unavailable",
      charge: { lines: [], amount: 0n },
      loss: 5n,
    });
    expect(tried.filter(({ kind }) => kind === "void").length).toBeGreaterThan(0);
  });

  test("what was charged although its client heard otherwise is given back under the request's id", async () => {
    const all = setUp(Number.POSITIVE_INFINITY, "already", RECEIPT);
    const { ledger, tasks, credited, denied, outage } = all;
    const beganMs = CLOCKS.clock();
    const end = thrownBy(ledger.settle(POST));
    await pass(25_000);
    expect(denied).toEqual([]);
    await pass(6_000);
    expect(await end).toMatchObject({ fault: "storage_unavailable" });
    // Before anything else could happen: this process may not live to give it back.
    expect(denied).toEqual(["req_1"]);
    outage.left = 0;
    await pass(3_000);
    expect(tasks.size).toBe(0);
    expect(credited).toMatchObject([
      {
        ...{ id: "late_req_1", accountId: "acct_1", amount: 5n, kind: "restore" },
        charge: { keyId: "key_1", requestId: "req_1" },
      },
    ]);
    // What is recorded has the time of day, whatever is waited by.
    expect(credited[0]?.createdAtMs).toBeGreaterThanOrEqual(beganMs);
  });

  test("what must be on disk before it is, and is tried again like the settlement", async () => {
    const { ledger, tried } = setUp(0);
    let tries = 0;
    const settled = ledger.settle(POST, async () => {
      expect(tried).toEqual([]);
      if (++tries < 3) throw new Error("disk full");
    });
    await pass(1_000);
    await settled;
    expect(tries).toBe(3);
    expect(tried).toEqual([POST]);
  });

  test("what cannot be preceded by what must be on disk is voided, and the client hears so", async () => {
    for (const thrown of [new Error("disk full"), new Fault("storage_unavailable", "Lost.")]) {
      const { ledger, tried, released } = setUp(0);
      const end = thrownBy(ledger.settle(POST, () => Promise.reject(thrown)));
      await pass(31_000);
      expect(await end).toMatchObject({ fault: "storage_unavailable", status: 503 });
      expect(tried.map(({ kind }) => kind)).toEqual(["void"]);
      expect(tried[0]?.receipt).toMatchObject({ status: 503, charge: { amount: 0n } });
      expect(released).toEqual(["acct_1", "key_1"]);
    }
  });

  test("what the house lost on a failed request is not forgotten when its void has to wait", async () => {
    const { ledger, tried, outage } = setUp(Number.POSITIVE_INFINITY);
    const failed: Settlement = {
      kind: "void",
      receipt: { ...RECEIPT, charge: { lines: [], amount: 0n }, loss: 7n, status: 503 },
    };
    void ledger.settle(failed);
    await pass(31_000);
    outage.left = 0;
    await pass(3_000);
    expect(tried.at(-1)?.receipt.loss).toBe(7n);
  });
});

describe("refuse", () => {
  const NOT_COUNTED = { requests: 0, max: 0 };

  test("writes the row without anybody waiting, and hands a failure on", async () => {
    const { ledger, tasks, refused, failed } = setUp(1);
    ledger.refuse(RECEIPT, NOT_COUNTED, true);
    await tasks.settled();
    ledger.refuse(RECEIPT, NOT_COUNTED, true);
    await tasks.settled();
    expect(refused).toEqual([RECEIPT, RECEIPT]);
    expect(failed).toHaveLength(1);
  });
});
