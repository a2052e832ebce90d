import { expect, test } from "bun:test";
import { onceAGo } from "./clock.ts";

test("a clock of a go is looked at once until others have had their turn", async () => {
  let looks = 0;
  const clock = onceAGo(() => ++looks);
  expect([clock(), clock(), clock()]).toEqual([1, 1, 1]);
  // What was to be done before it was looked at belongs to the same go, and what comes behind that does not.
  await Promise.resolve();
  expect(clock()).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect([clock(), clock()]).toEqual([3, 3]);
});
