import { expect, test } from "bun:test";
import { Restarts } from "./restarts.ts";

test("the first death costs no wait, those after it longer and longer ones, up to the most", () => {
  const restarts = new Restarts({ restart_rest_ms: 500, restart_rest_ms_max: 3_000 });
  const pauses = [10, 10, 10, 10, 10, 10].map((livedMs) => restarts.pauseAfter(livedMs));
  expect(pauses).toEqual([0, 500, 1_000, 2_000, 3_000, 3_000]);
});

test("who has lived for long begins anew", () => {
  const restarts = new Restarts({ restart_rest_ms: 500, restart_rest_ms_max: 3_000 });
  for (let death = 0; death < 4; death++) restarts.pauseAfter(10);
  expect(restarts.pauseAfter(60_001)).toBe(0);
  expect(restarts.pauseAfter(10)).toBe(500);
});
