import { expect, test } from "bun:test";
import { find, replaced, together } from "./bytes.ts";

test("find searches plain bytes, views of them too", () => {
  const bytes = new TextEncoder().encode("xxabcab").subarray(2);
  const needle = new TextEncoder().encode("ab");
  expect(find(bytes, needle)).toBe(0);
  expect(find(bytes.subarray(1), needle)).toBe(2);
  expect(find(needle, bytes)).toBe(-1);
});

test("replaced changes a stretch and keeps what stands around it", () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const bytes = new TextEncoder().encode("a model here");
  expect(text(replaced(bytes, 2, 5, new TextEncoder().encode("name")))).toBe("a name here");
  expect(text(replaced(bytes, 12, 0, new TextEncoder().encode("!")))).toBe("a model here!");
});

test("together joins pieces, and is nothing for nothing", () => {
  expect(together([])).toBeUndefined();
  expect([...(together([Uint8Array.of(1), Uint8Array.of(2, 3)]) ?? [])]).toEqual([1, 2, 3]);
});
