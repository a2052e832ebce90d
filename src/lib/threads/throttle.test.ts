import { expect, test } from "bun:test";
import { Throttle } from "./throttle.ts";

test("tries are counted by name until their window ends", () => {
  let now = 0;
  const throttle = new Throttle(1_000, () => now);
  throttle.spend("a", 2);
  now = 900;
  throttle.spend("a", 2);
  expect(() => throttle.spend("a", 2)).toThrow("Too many tries");
  throttle.spend("b", 2);
  now = 1_000;
  throttle.spend("a", 2);
});

test("nobody waits until a clock that was set back has caught up", () => {
  let now = 7_200_000;
  const throttle = new Throttle(1_000, () => now);
  throttle.spend("a", 1);
  expect(() => throttle.spend("a", 1)).toThrow("Too many tries");
  now = 0;
  throttle.spend("a", 1);
  expect(() => throttle.spend("a", 1)).toThrow("Try again in 1 seconds");
});

test("a try that is given back does not count", () => {
  const throttle = new Throttle(1_000, () => 0);
  for (let i = 0; i < 5; i++) {
    throttle.spend("a", 1);
    throttle.giveBack("a");
  }
  throttle.spend("a", 1);
  expect(() => throttle.spend("a", 1)).toThrow("Too many tries");
});

test("names do not pile up", () => {
  const throttle = new Throttle(1_000, () => 0);
  for (let i = 0; i < 60_000; i++) throttle.spend(`name ${i}`, 1);
  // The oldest was forgotten, the newest was not.
  throttle.spend("name 0", 1);
  expect(() => throttle.spend("name 59999", 1)).toThrow("Too many tries");
});
