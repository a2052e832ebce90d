import { describe, expect, test } from "bun:test";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { Fault } from "../faults.ts";
import { isLargeValue } from "../yield-to-loop.ts";
import { weighJson } from "./json-bounds.ts";
import { closingQuote } from "./json-string.ts";
import { jsonChars, parseLargeJson, readInSteps, weighLargeJson, writeJson } from "./large-json.ts";
import { knowingEnds } from "./long-strings.ts";

const BOUNDS = { partsMax: 2_000, depthMax: 20, elementsMax: 300_000 };
const LONG = 1_800_000;

const LARGE: Readonly<Record<string, string>> = {
  "a plain string": JSON.stringify({ a: "x".repeat(LONG), b: [1] }),
  "a wide string": JSON.stringify(["漢".repeat(LONG)]),
  "a string of escapes": JSON.stringify(['"\n\\'.repeat(LONG / 3), "b"]),
  "a string of backslashes": JSON.stringify(["\\".repeat(LONG)]),
  "a string without an end": `["${'\\"'.repeat(LONG / 2)}`,
  numbers: JSON.stringify(Array.from({ length: LONG / 8 }, (_, i) => i)),
  space: `[${" ".repeat(LONG)}1]`,
  "many small values": JSON.stringify(
    Array.from({ length: 300 }, (_, i) => ({ i, t: "y".repeat(9_000) })),
  ),
};

const parsed = (work: () => unknown) =>
  Promise.try(work).catch((thrown) => {
    if (thrown instanceof SyntaxError || thrown instanceof Fault) return "refused";
    throw thrown;
  });

describe.each(Object.entries(LARGE))("a large text with %s", (_name, text) => {
  test("weighs what it would weigh at once, and is what JSON.parse makes of it", async () => {
    const weighed = await weighLargeJson(text, BOUNDS);
    expect(weighed.bytes).toBe(weighJson(text, BOUNDS));
    for (const [at, end] of weighed.ends) expect(end).toBe(closingQuote(text, at));
    const value = await parsed(() => parseLargeJson(text, weighed));
    expect(Bun.deepEquals(value, await parsed(() => JSON.parse(text)))).toBe(true);
  });

  test("is what JSON.parse makes of it without being weighed, and leaves others their turns", async () => {
    let value: unknown;
    const turns = await ticksDuring(async () => {
      value = await parsed(async () => (await readInSteps(text)).value);
    });
    expect(Bun.deepEquals(value, await parsed(() => JSON.parse(text)))).toBe(true);
    // One without an end is refused as soon as that is known.
    expect(turns).toBeGreaterThan(text.length / 2 ** 20);
  });

  test("leaves others their turns", async () => {
    const work = async () =>
      parsed(async () => parseLargeJson(text, await weighLargeJson(text, BOUNDS)));
    // A turn for each megabyte at the least, of weighing it alone.
    expect(await ticksDuring(work)).toBeGreaterThan(text.length / 2 ** 20);
  });
});

describe("a value that is written", () => {
  const values = Object.entries(LARGE).flatMap(([name, text]) =>
    name.endsWith("without an end") ? [] : [[name, JSON.parse(text)] as const],
  );

  test.each(values)("is what JSON.stringify makes of it: %s", async (_name, value) => {
    expect((await writeJson(value)) === JSON.stringify(value)).toBe(true);
  });

  test("leaves others their turns where it is large, and is there at once where it is not", async () => {
    const large = [{ role: "user", content: "x".repeat(LONG) }, { ids: ["y".repeat(LONG)] }];
    expect(await ticksDuring(async () => writeJson(large))).toBeGreaterThan((2 * LONG) / 2 ** 20);
    expect(writeJson([{ role: "user", content: "x" }])).toBe('[{"role":"user","content":"x"}]');
  });

  test.each(values)("fits into as many characters as it has: %s", async (_name, value) => {
    const chars = JSON.stringify(value).length;
    const counted = [await jsonChars(value, chars), await jsonChars(value, chars - 1)];
    expect(counted).toEqual([chars, undefined]);
  });

  test("is looked at in steps to see whether it fits, and no further than to where it does not", async () => {
    const large = [{ role: "user", content: "x".repeat(LONG) }, { ids: ["y".repeat(LONG)] }];
    const fits = (charsMax: number) => ticksDuring(async () => jsonChars(large, charsMax));
    const all = await fits(3 * LONG);
    expect(all).toBeGreaterThan((2 * LONG) / 2 ** 20);
    expect(await fits(LONG)).toBeLessThan(all);
    expect([jsonChars(["x"], 5), jsonChars(["x"], 4)]).toEqual([5, undefined]);
  });

  test.each<[string, unknown, boolean]>([
    ["a long text", { a: ["x".repeat(130_000), "x".repeat(10_000)] }, true],
    ["a long name", { ["x".repeat(140_000)]: 1 }, true],
    ["many of anything", Array.from({ length: 140_000 }, () => null), true],
    ["a short text", { a: ["x".repeat(100_000)] }, false],
    ["nothing", null, false],
  ])("is large by what it holds: %s", (_name, value, large) => {
    expect(isLargeValue(value)).toBe(large);
  });
});

test("a large text past a bound is refused before all of it is looked at", async () => {
  const text = `[${"[".repeat(50)}${" ".repeat(LONG)}`;
  await expect(weighLargeJson(text, BOUNDS)).rejects.toThrow("20 levels deep");
});

test("the end of a long string is known to whoever reads its text, and of no other text", async () => {
  const text = JSON.stringify({ a: '"'.repeat(LONG), b: 1 });
  const { ends } = await weighLargeJson(text, BOUNDS);
  const [[at, end] = [-1, -1]] = ends;
  // Told something else, readers say that.
  const told = new Map([[at, end - 1]]);
  const read = () => [closingQuote(text, at), closingQuote(` ${text}`, at + 1)];
  expect(knowingEnds(text, told, read)).toEqual([end - 1, end + 1]);
  expect(read()).toEqual([end, end + 1]);
});
