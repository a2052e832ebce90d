import { expect, test } from "bun:test";
import { eventually } from "../../test/support/waiting.ts";
import { watchLoop } from "./loop-delay.ts";

test("a loop that stood still is seen by how late its timer is", async () => {
  const seen: number[] = [];
  let nowMs = 0;
  const stop = watchLoop({ observe: (ms) => seen.push(ms) }, () => nowMs);
  nowMs += 1_200;
  await eventually("it was looked at", () => seen.length === 1);
  nowMs += 200;
  await eventually("and again", () => seen.length === 2);
  stop();
  expect(seen).toEqual([1_000, 0]);
});
