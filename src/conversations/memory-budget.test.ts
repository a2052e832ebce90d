import { expect, test } from "bun:test";
import { MemoryBudget } from "./memory-budget.ts";

function setUp(bytesMax: number) {
  const budget = new MemoryBudget(bytesMax);
  const forgotten: string[] = [];
  const keep = (tenantId: string, name: string, bytes: number) => {
    const kept = { bytes, forget: () => void forgotten.push(name) };
    budget.keep(tenantId, kept);
    return () => budget.release(tenantId, kept);
  };
  return { budget, keep, forgotten };
}

test("what is kept is at most so much, and who has most of it loses the oldest first", () => {
  const { budget, keep, forgotten } = setUp(100);
  keep("modest", "m1", 10);
  keep("greedy", "g1", 40);
  keep("greedy", "g2", 45);
  expect([budget.bytes, forgotten]).toEqual([95, []]);
  keep("greedy", "g3", 40);
  expect([budget.bytes, forgotten]).toEqual([95, ["g1"]]);
  keep("modest", "m2", 20);
  expect([budget.bytes, forgotten]).toEqual([70, ["g1", "g2"]]);
});

test("what is let go of makes room, once", () => {
  const { budget, keep, forgotten } = setUp(100);
  const leave = keep("one", "a", 60);
  leave();
  leave();
  expect(budget.bytes).toBe(0);
  keep("two", "b", 100);
  expect([budget.bytes, forgotten]).toEqual([100, []]);
});

test("what is larger than the room is not kept, and nobody else pays for it for long", () => {
  const { budget, keep, forgotten } = setUp(100);
  keep("one", "a", 60);
  keep("two", "b", 101);
  expect([budget.bytes, forgotten]).toEqual([60, ["b"]]);
});
