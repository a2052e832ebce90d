import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { textOf } from "../../../test/support/vendors/whole-answers.ts";
import type { Span } from "../../lib/json/stepped-parser.ts";
import { isLarge } from "../../lib/yield-to-loop.ts";
import { readLongText } from "./long-text.ts";
import { JsonText } from "./splice.ts";

const NAMES = ["model", "usage", 'a"b', "é"];
const objects = fc.dictionary(fc.constantFrom(...NAMES, "other"), fc.jsonValue());
const edits = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.option(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    { nil: undefined },
  ),
);

describe("a text that is read in steps", () => {
  test("is written as one that is looked through is, whatever is changed", async () => {
    const same = fc.asyncProperty(
      objects,
      edits,
      fc.constantFrom("", "\t"),
      async (object, changes, space) => {
        const text = ` ${JSON.stringify(object, null, space)} `;
        const { body, json } = await readLongText(text);
        expect(body).toEqual(JSON.parse(text));
        const plain = new JsonText(text);
        expect([...json.pieces(changes)].join("")).toBe(plain.edit(changes));
        for (const name of NAMES) expect(json.locate(name)).toEqual(plain.locate(name) as Span);
      },
    );
    await fc.assert(same, { numRuns: count(200, 2_000) });
  });

  test.each(["{}", " { } ", '{"a":1,"a":2}', '{"__proto__":1}'])("%s too", async (text) => {
    const { json } = await readLongText(text);
    const changes = { a: undefined, b: "[]" };
    expect([...json.pieces(changes)].join("")).toBe(new JsonText(text).edit(changes));
  });

  test.each(["", "{", '{"a":1}}', "not JSON"])("is none where it is no JSON: %p", async (text) => {
    await expect(readLongText(text)).rejects.toThrow(SyntaxError);
  });
});

describe("what is written of a text", () => {
  const long = JSON.stringify({ a: "x".repeat(200_000), model: "v" });

  test("comes in pieces where it is large, and whole where it is not", () => {
    expect(new JsonText('{"a":1}').written({ a: "2" })).toBe('{"a":2}');
    const written = new JsonText(long).written({ model: '"m"' });
    expect([typeof written, isLarge(long)]).toEqual(["object", true]);
    expect(textOf(written) === long.replace('"v"', '"m"')).toBe(true);
  });
});
