import { expect, test } from "bun:test";
import { readMarkup } from "./markup.ts";

test.each([
  ["12.5", "12.5"],
  [" 20 %", "20"],
  ["0", "0"],
  ["10000.1", undefined],
  ["-5", undefined],
  ["", undefined],
  ["1e3", undefined],
])("a markup of %p is read as %p", (typed, percent) => {
  expect(readMarkup(typed)).toBe(percent);
});
