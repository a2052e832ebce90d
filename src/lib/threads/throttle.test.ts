import { expect, test } from "bun:test";
import { Throttle } from "./throttle.ts";

test("tries are counted by name until their window ends", () => {
  let now = 0;
  const throttle = new Throttle(1_000, () => now);
  expect(throttle.take("a", 2)).toBe(true);
  now = 900;
  expect(throttle.take("a", 2)).toBe(true);
  expect(throttle.take("a", 2)).toBe(false);
  expect(throttle.waitMs("a")).toBe(100);
  expect(throttle.take("b", 2)).toBe(true);
  now = 1_000;
  expect(throttle.take("a", 2)).toBe(true);
});

test("nobody waits until a clock that was set back has caught up", () => {
  let now = 7_200_000;
  const throttle = new Throttle(1_000, () => now);
  expect(throttle.take("a", 1)).toBe(true);
  expect(throttle.take("a", 1)).toBe(false);
  now = 0;
  expect(throttle.take("a", 1)).toBe(true);
  expect(throttle.take("a", 1)).toBe(false);
  expect(throttle.waitMs("a")).toBe(1_000);
});

test("names do not pile up", () => {
  const throttle = new Throttle(1_000, () => 0);
  for (let i = 0; i < 60_000; i++) throttle.take(`name ${i}`, 1);
  // The oldest was forgotten, the newest was not.
  expect(throttle.take("name 0", 1)).toBe(true);
  expect(throttle.take("name 59999", 1)).toBe(false);
});
