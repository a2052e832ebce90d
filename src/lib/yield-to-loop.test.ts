import { expect, test } from "bun:test";
import { yieldToLoop } from "./yield-to-loop.ts";

test("of many who work in steps, one has a step in each turn of the loop, and none is left out", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const stepAt: number[] = [];
  const work = async () => {
    for (let step = 0; step < 5; step++) {
      await yieldToLoop();
      stepAt.push(turns);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  isOver = true;
  expect(stepAt).toHaveLength(40);
  expect(new Set(stepAt).size).toBe(40);
});
