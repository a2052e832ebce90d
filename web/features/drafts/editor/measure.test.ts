import { expect, test } from "bun:test";
import { codePoints, lineState, widthUnits } from "./measure.ts";

test("a character that takes two units of a string counts once", () => {
  expect([codePoints("a中😀"), widthUnits("a中😀")]).toEqual([3, 5]);
});

test("a line is over at the written limit, and near it where Chinese makes it wide", () => {
  expect(lineState("title", "字".repeat(32))).toBe("fits");
  expect(lineState("title", "a".repeat(33))).toBe("over");
  expect(lineState("author", "字".repeat(9))).toBe("near");
  expect(lineState("author", "字".repeat(8))).toBe("fits");
});
