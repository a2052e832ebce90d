import { describe, expect, test } from "bun:test";
import { type Series, stackedBars, stackTotals } from "./bars.ts";
import { labelEvery, marksOf, niceMax } from "./scale.ts";

const frame = { width: 100, height: 100 };
const series = (id: string, ...values: number[]): Series => ({ id, label: id, values });

describe("a scale", () => {
  test.each([
    [[], 1],
    [[0, 0], 1],
    [[0.0004], 0.0004],
    [[0.00041], 0.0005],
    [[7], 8],
    [[21], 25],
    [[3.2, 1], 4],
    [[100], 100],
  ])("ends at a round number above %p", (values, max) => {
    expect(niceMax(values)).toBeCloseTo(max, 12);
  });

  test.each([
    [[2.2], [0, 0.5, 1, 1.5, 2, 2.5]],
    [[10], [0, 2, 4, 6, 8, 10]],
    [[0.3], [0, 0.1, 0.2, 0.3]],
    [[0.1 + 0.2], [0, 0.1, 0.2, 0.3]],
    [[0.00002], [0, 0.000005, 0.00001, 0.000015, 0.00002]],
    [[1], [0, 1]],
    [
      [3, 0],
      [0, 1, 2, 3],
    ],
    [[12_345], [0, 5_000, 10_000, 15_000]],
    [[], [0, 1]],
  ])("of %p has few marks, each of them round", (values, marks) => {
    expect(marksOf(values)).toEqual(marks);
  });

  test("shows the last label and no more than there is room for", () => {
    const shown = labelEvery(30, 6);
    const indexes = Array.from({ length: 30 }, (_, index) => index).filter(shown);
    expect(indexes).toEqual([4, 9, 14, 19, 24, 29]);
  });
});

describe("stacked bars", () => {
  test("stand on one another and reach the height of their sum", () => {
    const bars = stackedBars(2, [series("a", 5, 0), series("b", 5, 10)], frame);
    expect(bars.map(({ series, category, y, height }) => [series, category, y, height])).toEqual([
      [0, 0, 50, 50],
      [1, 0, 0, 50],
      [1, 1, 0, 100],
    ]);
  });

  test("stay inside their slots", () => {
    for (const { x, width, category } of stackedBars(4, [series("a", 1, 2, 3, 4)], frame)) {
      expect(x).toBeGreaterThanOrEqual(category * 25);
      expect(x + width).toBeLessThanOrEqual((category + 1) * 25);
    }
  });

  test("count nothing below the ground and nothing that is missing", () => {
    expect(stackTotals(3, [series("a", -1, 2), series("b", 3)])).toEqual([3, 2, 0]);
  });
});
