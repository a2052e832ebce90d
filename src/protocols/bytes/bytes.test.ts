import { expect, test } from "bun:test";
import { sameBytes, together } from "./bytes.ts";

test("sameBytes compares stretches of plain bytes, views of them too", () => {
  const bytes = new TextEncoder().encode("xxabcab").subarray(2);
  const others = new TextEncoder().encode("-abc");
  expect(sameBytes(bytes, 0, others, 1, 3)).toBe(true);
  expect(sameBytes(bytes, 3, others, 1, 2)).toBe(true);
  expect(sameBytes(bytes, 1, others, 1, 2)).toBe(false);
  expect(sameBytes(bytes, 3, others, 1, 0)).toBe(true);
});

test("sameBytes is false where there are not as many", () => {
  const bytes = new TextEncoder().encode("ab");
  expect(sameBytes(bytes, 0, new TextEncoder().encode("abc"), 0, 3)).toBe(false);
});

test("together joins pieces, and is nothing for nothing", () => {
  expect(together([])).toBeUndefined();
  expect([...(together([Uint8Array.of(1), Uint8Array.of(2, 3)]) ?? [])]).toEqual([1, 2, 3]);
});
