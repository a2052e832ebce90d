import { describe, expect, test } from "bun:test";
import { moneyValue, nextSort, readSort, type SortValue, sortRows, writeSort } from "./sorting.ts";

const sorted = (values: readonly SortValue[], descending = false) =>
  sortRows(values, (value) => value, descending, "en");

describe("the order of a table", () => {
  test("is that of amounts to the last digit, not of their texts or floats", () => {
    const amounts = ["10", "9.5", "-3", "9.500000000000000001"];
    const order = sortRows(amounts, moneyValue, false, "en");
    expect(order).toEqual(["-3", "9.5", "9.500000000000000001", "10"]);
  });

  test("is that of names as people read them", () => {
    expect(sorted(["app 10", "App 2", "beta", "Äpfel"])).toEqual([
      "Äpfel",
      "App 2",
      "app 10",
      "beta",
    ]);
  });

  test("has what is not there at the end, in both directions", () => {
    expect(sorted([null, 2, null, 3])).toEqual([2, 3, null, null]);
    expect(sorted([null, 2, null, 3], true)).toEqual([3, 2, null, null]);
  });

  test("leaves rows of a tie as they came, in both directions", () => {
    const rows = ["a1", "b1", "c2"];
    const second = (row: string) => Number(row[1]);
    expect(sortRows(rows, second, false, "en")).toEqual(["a1", "b1", "c2"]);
    expect(sortRows(rows, second, true, "en")).toEqual(["c2", "a1", "b1"]);
  });
});

describe("a click on a column", () => {
  test("begins numbers with the largest, turns around, and gives the first order back", () => {
    const first = nextSort(undefined, "cost", 5);
    expect(first).toEqual({ by: "cost", descending: true });
    const second = nextSort(first, "cost", 5);
    expect(second).toEqual({ by: "cost", descending: false });
    expect(nextSort(second, "cost", 5)).toBeUndefined();
  });

  test("begins words with A, also after another column", () => {
    const before = { by: "cost", descending: true };
    expect(nextSort(before, "name", "x")).toEqual({ by: "name", descending: false });
  });
});

test("an order is told in an address, and what is none is not taken for one", () => {
  for (const text of ["cost", "-cost"]) expect(writeSort(readSort(text))).toBe(text);
  for (const text of [undefined, "", "-", "--cost", "a b"]) expect(readSort(text)).toBeUndefined();
});
