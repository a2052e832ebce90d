import { expect, test } from "bun:test";
import { MemoryRoom } from "./memory-room.ts";

function setUp(bytesMax: number) {
  const room = new MemoryRoom(bytesMax);
  const forgotten: string[] = [];
  const keep = (tenantId: string, name: string, bytes: number) => {
    const kept = { bytes, forget: () => void forgotten.push(name) };
    room.keep(tenantId, kept);
    return () => room.release(tenantId, kept);
  };
  return { room, keep, forgotten };
}

test("what is kept is at most so much, and who has most of it loses the oldest first", () => {
  const { room, keep, forgotten } = setUp(100);
  keep("modest", "m1", 10);
  keep("greedy", "g1", 40);
  keep("greedy", "g2", 45);
  expect([room.bytes, forgotten]).toEqual([95, []]);
  keep("greedy", "g3", 40);
  expect([room.bytes, forgotten]).toEqual([95, ["g1"]]);
  keep("modest", "m2", 20);
  expect([room.bytes, forgotten]).toEqual([70, ["g1", "g2"]]);
});

test("what is let go of makes room, once", () => {
  const { room, keep, forgotten } = setUp(100);
  const leave = keep("one", "a", 60);
  leave();
  leave();
  expect(room.bytes).toBe(0);
  keep("two", "b", 100);
  expect([room.bytes, forgotten]).toEqual([100, []]);
});

test("what is larger than the room is not kept, and nobody else pays for it for long", () => {
  const { room, keep, forgotten } = setUp(100);
  keep("one", "a", 60);
  keep("two", "b", 101);
  expect([room.bytes, forgotten]).toEqual([60, ["b"]]);
});
