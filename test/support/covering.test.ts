import { expect, test } from "bun:test";
import { coveringOf, type Facets } from "./covering.ts";

const COLUMNS = [
  ["a", "b", "c", "d", "e"],
  ["one", "two", "three", "four"],
  ["whole", "stream"],
] as const;

const TABLE: readonly Facets[] = COLUMNS[0].flatMap((first) =>
  COLUMNS[1].flatMap((second) => COLUMNS[2].map((third) => [first, second, third])),
);

function meetings(rows: readonly Facets[]): string[] {
  const each = rows.flatMap(([one, two, three]) => [
    `${one} ${two}`,
    `${one} ${three}`,
    `${two} ${three}`,
  ]);
  return [...new Set(each)].sort();
}

test("any two facets of a table meet in what is taken of it", () => {
  const taken = coveringOf(TABLE, (row) => row);
  expect(meetings(taken)).toEqual(meetings(TABLE));
  expect(taken.length).toBeLessThan(TABLE.length * 0.75);
});

test("a table with gaps is covered as far as it goes", () => {
  const gaps = TABLE.filter(([one, two, three]) => one !== "a" || (two === "four" && three));
  const taken = coveringOf(gaps, (row) => row);
  expect(meetings(taken)).toEqual(meetings(gaps));
});

test("always the same rows are taken, in their order", () => {
  const taken = coveringOf(TABLE, (row) => row);
  expect(coveringOf(TABLE, (row) => row)).toEqual(taken);
  expect(taken).toEqual(TABLE.filter((row) => taken.includes(row)));
});

test("rows with the same word in two columns are told apart", () => {
  const table = [
    ["a", "b"],
    ["b", "a"],
  ];
  expect(coveringOf(table, (row) => row)).toEqual(table);
});

test("nothing is taken of nothing", () => {
  expect(coveringOf([], () => [])).toEqual([]);
});
