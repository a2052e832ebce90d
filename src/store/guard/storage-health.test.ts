import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { keptLog } from "../../../test/support/logs.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import { StorageHealth } from "./storage-health.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function setUp() {
  const { log, lines } = keptLog();
  const metrics = new Metrics();
  const time = { nowMs: 0 };
  const state = { isOut: true, proofs: 0 };
  const prove = async () => {
    state.proofs += 1;
    if (state.isOut) throw new Error("disk full");
    health.worked();
  };
  const health: StorageHealth = new StorageHealth(log, metrics, prove, () => time.nowMs);
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      time.nowMs += 1_000;
      jest.advanceTimersByTime(1_000);
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    }
  };
  const told = () => lines.splice(0).map((line) => JSON.parse(line));
  return { health, metrics, state, pass, told };
}

test("an outage is told of at once, now and then with a count, and when it is over", async () => {
  const { health, metrics, state, pass, told } = setUp();
  health.failed("admission", "disk full");
  expect(told()).toMatchObject([
    { event: "storage_failed", level: "error", operation: "admission", reason: "disk full" },
  ]);
  // What has only taken long has not failed, and may be counted when it does.
  health.suspect("settlement", "slow");
  for (let more = 0; more < 4; more++) health.failed("settlement", "no space left");
  await pass(9);
  expect(told()).toEqual([]);
  await pass(1);
  expect(told()).toMatchObject([
    { event: "storage_still_failing", failures: 5, seconds: 10, reason: "no space left" },
  ]);
  expect(metrics.storageUp).toBe(false);

  state.isOut = false;
  await pass(1);
  expect(told()).toMatchObject([{ event: "storage_recovered", failures: 5, seconds: 11 }]);
  expect(metrics.storageUp).toBe(true);
  await pass(30);
  expect(told()).toEqual([]);
  expect([
    metrics.storageFailures.of("admission"),
    metrics.storageFailures.of("settlement"),
  ]).toEqual([1, 4]);
});

test("whose storage is closed neither asks nor tells of what fails by that", async () => {
  const { health, state, pass, told } = setUp();
  health.failed("admission", "disk full");
  expect(told()).toHaveLength(1);
  health.close();
  health.failed("settlement", "the store is closed");
  await pass(30);
  expect([told(), state.proofs]).toEqual([[], 0]);
});
