import { afterEach, expect, test } from "bun:test";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { BegunRead } from "./begun-read.ts";

/** Whoever goes on, and what it was told. */
function goingOn() {
  const told: unknown[] = [];
  const taker = {
    took: (chunk: Uint8Array | undefined) => void told.push(chunk),
    lost: (thrown: unknown) => void told.push(thrown),
  };
  return { told, taker };
}

const LATER_MS = 500;
let nowMs = 0;
const watchdog = new Watchdog(() => nowMs);

afterEach(() => {
  nowMs = 0;
  expect(watchdog.size).toBe(0);
});

const CHUNK = new Uint8Array([1]);
const LOSS = new Error("the vendor has gone");

test("what comes while somebody waits is for whoever waits", async () => {
  const read = new BegunRead();
  const waited = read.until(watchdog, LATER_MS);
  read.took(CHUNK);
  expect(await waited).toEqual({ chunk: CHUNK });
});

test.each([
  ["before", (read: BegunRead) => read.lost(LOSS), () => {}],
  ["while", () => {}, (read: BegunRead) => read.lost(LOSS)],
] as const)(
  "a loss that is told %s somebody waits is for whoever goes on",
  async (_, before, meanwhile) => {
    const read = new BegunRead();
    before(read);
    const waited = read.until(watchdog, LATER_MS);
    meanwhile(read);
    expect(await waited).toBeUndefined();
    const { told, taker } = goingOn();
    read.handTo(taker);
    expect(told).toEqual([LOSS]);
  },
);

test("what comes when nobody waits any more is for whoever goes on, once", async () => {
  const read = new BegunRead();
  const waited = read.until(watchdog, LATER_MS);
  nowMs = LATER_MS;
  watchdog.tick();
  expect(await waited).toBeUndefined();
  read.took(CHUNK);
  const { told, taker } = goingOn();
  read.handTo(taker);
  expect(told).toEqual([CHUNK]);
});
