import { expect, test } from "bun:test";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { Heartbeat } from "./heartbeat.ts";

const parts = partsOfTest();
/** No timer fires during a test: each of them ticks by itself. */
const LEASE_MS = 1_000_000_000;

function heartbeat() {
  const seen = { asked: 0, hangs: 0 };
  const heart = new Heartbeat({
    leaseMs: LEASE_MS,
    ask() {
      seen.asked += 1;
    },
    hangs() {
      seen.hangs += 1;
    },
  });
  parts.defer(() => heart.stop());
  const tick = (times: number) => {
    for (let done = 0; done < times; done++) heart.tick();
  };
  return { heart, seen, tick };
}

test("a process that has never answered is starting, and may take as long as it needs", () => {
  const { seen, tick } = heartbeat();
  tick(1_000);
  expect(seen).toEqual({ asked: 1_000, hangs: 0 });
});

test("one that answers no question of a whole lease hangs, and that is told once", () => {
  const { heart, seen, tick } = heartbeat();
  tick(1);
  heart.answered();
  tick(8);
  expect(seen).toEqual({ asked: 9, hangs: 0 });
  tick(1);
  expect(seen).toEqual({ asked: 9, hangs: 1 });
});

test("one that answers late, but within the lease, goes on", () => {
  const { heart, seen, tick } = heartbeat();
  heart.answered();
  for (let leases = 0; leases < 10; leases++) {
    tick(8);
    heart.answered();
  }
  expect(seen).toEqual({ asked: 80, hangs: 0 });
});
