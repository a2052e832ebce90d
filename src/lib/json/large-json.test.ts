import { describe, expect, test } from "bun:test";
import { Fault } from "../faults.ts";
import { weighJson } from "./json-bounds.ts";
import { closingQuote } from "./json-string.ts";
import { parseLargeJson, weighLargeJson } from "./large-json.ts";
import { knowingEnds } from "./long-strings.ts";

const BOUNDS = { partsMax: 2_000, depthMax: 20 };
const LONG = 3_000_000;

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

/** Turns that others have on the loop while some work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    running = false;
  }
  return turns;
}

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

  test("leaves others their turns", async () => {
    const work = async () =>
      parsed(async () => parseLargeJson(text, await weighLargeJson(text, BOUNDS)));
    // A turn for each megabyte at the least, of weighing it alone.
    expect(await turnsDuring(work)).toBeGreaterThan(text.length / 2 ** 20);
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
