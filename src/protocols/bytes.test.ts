import { expect, test } from "bun:test";
import { asBuffer, together } from "./bytes.ts";

test("asBuffer is a view, not a copy", () => {
  const bytes = Uint8Array.of(1, 2, 3).subarray(1);
  expect([...asBuffer(bytes)]).toEqual([2, 3]);
  bytes[0] = 9;
  expect(asBuffer(bytes)[0]).toBe(9);
});

test("together joins pieces, and is nothing for nothing", () => {
  expect(together([])).toBeUndefined();
  expect([...(together([Uint8Array.of(1), Uint8Array.of(2, 3)]) ?? [])]).toEqual([1, 2, 3]);
});
