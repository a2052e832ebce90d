import { expect, test } from "bun:test";
import type { Conversation } from "./canon.ts";
import { nearestEffort } from "./nearest-effort.ts";
import type { ModelRule } from "./wire.ts";

const asked = (more: Partial<Conversation>): Conversation => ({
  ...{ items: [], tools: [], stop: [], choices: 1, stream: false, lost: [] },
  ...more,
});

test.each<[string, ModelRule[], string]>([
  ["max", ["no_effort_max"], "xhigh"],
  ["max", ["no_effort_xhigh", "no_effort_max"], "high"],
  ["xhigh", ["no_effort_xhigh"], "max"],
  ["minimal", ["no_effort_minimal"], "low"],
  ["minimal", ["no_effort_none", "no_effort_minimal"], "low"],
  ["none", ["no_effort_none"], "minimal"],
  ["none", ["no_effort_none", "no_effort_minimal"], "low"],
])("%s with %p becomes %s", (effort, rules, nearest) => {
  expect(nearestEffort(asked({ effort }), rules)).toEqual({ effort: nearest, isOther: true });
});

test("what the model has, and what nobody knows, goes as it was said", () => {
  const rules: ModelRule[] = ["no_effort_minimal", "no_effort_max"];
  for (const effort of ["none", "xhigh", "ultra", undefined]) {
    expect(nearestEffort(asked({ effort }), rules)).toEqual({ effort, isOther: false });
  }
});

test("a budget of no tokens is an effort too", () => {
  const { effort } = nearestEffort(asked({ thinkingBudget: 0 }), ["no_effort_none"]);
  expect(effort).toBe("minimal");
});
