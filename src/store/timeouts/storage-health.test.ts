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
  const state = { fails: true, proofs: 0 };
  const look = () => {
    state.proofs += 1;
    health.proved(state.fails ? new Error("disk full") : undefined);
  };
  const health: StorageHealth = new StorageHealth(log, metrics, look, () => time.nowMs);
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      time.nowMs += 1_000;
      jest.advanceTimersByTime(1_000);
    }
  };
  const told = () => lines.splice(0).map((line) => JSON.parse(line));
  return { health, metrics, state, pass, told };
}

test("storage is down after two proofs that failed, is spoken of with a count, and up after two that succeeded", () => {
  const { health, metrics, state, pass, told } = setUp();
  health.failed("admission", "disk full");
  expect(told()).toMatchObject([
    { event: "storage_refused", level: "warn", operation: "admission", reason: "disk full" },
  ]);
  expect([health.downFor, metrics.storageUp]).toEqual([undefined, true]);
  pass(1);
  expect(told()).toMatchObject([
    { event: "storage_failed", level: "error", operation: "proof", reason: "disk full" },
  ]);
  expect([health.downFor, metrics.storageUp]).toEqual(["disk full", false]);

  for (let more = 0; more < 4; more++) health.failed("settlement", "no space left");
  pass(9);
  expect(told()).toEqual([]);
  pass(1);
  expect(told()).toMatchObject([
    { event: "storage_still_failing", failures: 4, seconds: 10, reason: "no space left" },
  ]);

  state.fails = false;
  pass(1);
  expect([told(), metrics.storageUp]).toEqual([[], false]);
  // One that succeeded counts for nothing beside the next, which fails.
  state.fails = true;
  pass(1);
  state.fails = false;
  pass(1);
  expect([told(), metrics.storageUp]).toEqual([[], false]);
  pass(1);
  expect(told()).toMatchObject([{ event: "storage_recovered", failures: 4, seconds: 14 }]);
  expect([health.downFor, metrics.storageUp]).toEqual([undefined, true]);
  const { proofs } = state;
  pass(30);
  expect([told(), state.proofs]).toEqual([[], proofs]);
  const { storageFailures } = metrics;
  expect(["admission", "settlement"].map((name) => storageFailures.of(name))).toEqual([1, 4]);
});

test("a proof that fails alone is no outage", () => {
  const { health, metrics, state, pass, told } = setUp();
  state.fails = false;
  for (let times = 0; times < 3; times++) {
    health.proved(new Error("slow"));
    pass(5);
  }
  expect([told(), metrics.storageUp]).toEqual([[], true]);
});

test("what is refused while storage is up is told of at once, then now and then with a count", () => {
  const { health, state, pass, told } = setUp();
  state.fails = false;
  for (let second = 0; second < 11; second++) {
    health.failed("settlement", "the rows of this account are locked");
    pass(1);
  }
  const lines = told();
  expect(lines.map(({ event, times }) => [event, times])).toEqual([
    ["storage_refused", 1],
    ["storage_refused", 10],
  ]);
});

test("whose storage is closed neither asks nor tells of what fails by that", () => {
  const { health, state, pass, told } = setUp();
  health.failed("admission", "disk full");
  pass(1);
  expect(told()).toHaveLength(2);
  const { proofs } = state;
  health.close();
  health.failed("settlement", "the store is closed");
  pass(30);
  expect([told(), state.proofs]).toEqual([[], proofs]);
});
