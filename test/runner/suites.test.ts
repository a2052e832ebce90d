import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { isOurs, PART_VARIABLE } from "../support/counts.ts";
import { suites } from "./suites.ts";

const wanted = {
  projectDir: fileURLToPath(new URL("../..", import.meta.url)),
  outputDir: "nowhere",
  words: ["test/browser/pages.test.ts"],
  testTimeoutMs: 1,
};

test("a suite that is long with the full counts runs in parts, each with a report of its own", () => {
  const [whole, ...others] = suites({ ...wanted, full: false });
  expect(others).toEqual([]);
  expect(whole).toMatchObject({ title: "test/browser/pages.test.ts", env: {} });
  const parts = suites({ ...wanted, full: true });
  const count = parts.length;
  expect(count).toBeGreaterThan(1);
  const numbers = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  expect(parts.map(({ env }) => env?.[PART_VARIABLE])).toEqual(numbers);
  expect(new Set(parts.map(({ report }) => report)).size).toBe(count);
  expect(new Set(parts.map(({ title }) => title)).size).toBe(count);
});

test("whatever stands in a list belongs to one part", () => {
  for (const parts of [1, 2, 3, 4]) {
    for (let place = 0; place < 10; place++) {
      const takers = Array.from({ length: parts }, (_, part) =>
        isOurs(place, `${part + 1}/${parts}`),
      );
      expect(takers.filter(Boolean)).toHaveLength(1);
    }
  }
});
