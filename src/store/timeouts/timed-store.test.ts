import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { failureOf } from "../../../test/store/samples.ts";
import { keptLog } from "../../../test/support/logs.ts";
import { readConfig } from "../../config/config.ts";
import type { Receipt, Settlement } from "../../ledger/receipt.ts";
import { StorageError } from "../../lib/faults.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import type { Store } from "../store.ts";
import { timedStore } from "./timed-store.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A store whose writes succeed, but for settlements, which end when they are let. */
function setUp() {
  const settling = Promise.withResolvers<"done">();
  const plain = {
    accounts: {
      findKey() {
        throw new StorageError("disk full");
      },
    },
    ledger: { settle: () => settling.promise, withdraw() {} },
    ...{ admission: {}, conversations: {}, keptAnswers: {}, sql: {} },
    async ping() {},
    async close() {},
  } as unknown as Store;
  const { log, logged } = keptLog();
  const metrics = new Metrics();
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs);
  const store = timedStore(plain, readConfig({}).limits, log, metrics, watchdog);
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      time.nowMs += 1_000;
      jest.advanceTimersByTime(1_000);
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    }
  };
  const said = () => [logged("storage_failed").length, logged("storage_recovered").length];
  return { store, settling, metrics, pass, said, logged };
}

test("what fails while the books can be written is told of, and is no outage", async () => {
  const { store, metrics, pass, said, logged } = setUp();
  for (let times = 0; times < 3; times++) {
    expect(() => store.accounts.findKey("any")).toThrow("disk full");
  }
  await pass(5);
  await store.ready();
  expect(logged("storage_refused")).toMatchObject([
    { operation: "authentication", reason: "disk full", times: 1 },
  ]);
  expect([said(), metrics.storageUp]).toEqual([[0, 0], true]);
  await store.close();
});

test("with a settlement that is older than five seconds storage is down until it has ended", async () => {
  const { store, settling, metrics, pass, said, logged } = setUp();
  const receipt = { requestId: "req_1" } as Receipt;
  const settlement: Settlement = { kind: "post", receipt };
  const settled = store.ledger.settle(settlement);
  await pass(4);
  await store.ready();
  await pass(1);
  expect(logged("storage_failed")).toMatchObject([{ operation: "settlement" }]);
  expect(metrics.storageUp).toBe(false);
  // Writes succeed beside it, time and again.
  await pass(6);
  expect((await failureOf(store.ready())).message).toContain("a settlement has waited");
  expect([said(), metrics.storageUp]).toEqual([[1, 0], false]);
  settling.resolve("done");
  expect(await settled).toBe("done");
  await pass(2);
  await store.ready();
  expect([said(), metrics.storageUp]).toEqual([[1, 1], true]);
  await store.close();
});
