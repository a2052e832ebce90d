import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Fault } from "./faults.ts";
import { retryWrite } from "./retry.ts";

const realSleep = Bun.sleep;
let nowMs = 0;
const clock = () => nowMs;
const pauses: number[] = [];

beforeEach(() => {
  nowMs = 0;
  pauses.length = 0;
  Bun.sleep = (async (ms: number) => {
    pauses.push(ms);
    nowMs += ms;
  }) as typeof Bun.sleep;
});
afterEach(() => {
  Bun.sleep = realSleep;
});

/** A write that fails so often before it succeeds. */
function failing(failures: number, thrown: Error = new Error("disk full")) {
  let tries = 0;
  const write = async () => {
    if (tries++ < failures) throw thrown;
  };
  return { write, tries: () => tries };
}

describe("retrying a write", () => {
  test("asks once where that is enough", async () => {
    const { write, tries } = failing(0);
    await retryWrite(write, clock, 0);
    expect([tries(), pauses]).toEqual([1, []]);
  });

  test("pauses longer and longer, up to a maximum", async () => {
    const { write, tries } = failing(9);
    await retryWrite(write, clock, Number.POSITIVE_INFINITY);
    expect(tries()).toBe(10);
    expect(pauses).toEqual([20, 40, 80, 160, 320, 640, 1_280, 2_000, 2_000]);
  });

  test("gives up before the pause that would be too long", async () => {
    const thrown = new Error("disk full");
    const { write, tries } = failing(Number.POSITIVE_INFINITY, thrown);
    expect(await retryWrite(write, clock, 100).catch((told) => told)).toBe(thrown);
    expect([tries(), pauses]).toEqual([3, [20, 40]]);
  });

  test("takes a fault for an answer", async () => {
    const fault = new Fault("storage_unavailable", "Lost.");
    const { write, tries } = failing(1, fault);
    expect(await retryWrite(write, clock, Number.POSITIVE_INFINITY).catch((told) => told)).toBe(
      fault,
    );
    expect(tries()).toBe(1);
  });

  test("waits for a full disk no longer than five seconds where a client waits", async () => {
    const full = new Error("database or disk is full");
    const { write } = failing(100, full);
    await expect(retryWrite(write, clock, 30_000)).rejects.toBe(full);
    expect(nowMs).toBeLessThanOrEqual(5_000);
    expect(pauses.length).toBeGreaterThan(3);
  });

  test("goes on for as long as it takes where no client waits for the disk", async () => {
    const { write, tries } = failing(30, new Error("database or disk is full"));
    await retryWrite(write, clock, Number.POSITIVE_INFINITY);
    expect(tries()).toBe(31);
  });
});
