import { expect, test } from "bun:test";
import fc from "fast-check";
import { findPaths, type Path } from "./find-paths.ts";

function parsedAt(text: string, path: Path): unknown {
  let value: unknown = JSON.parse(text);
  for (const step of path) {
    const isInside = step === 0 ? Array.isArray(value) : !Array.isArray(value);
    if (typeof value !== "object" || value === null || !isInside) return undefined;
    value = (value as Record<string | 0, unknown>)[step];
  }
  return value;
}

function found(text: string, paths: readonly Path[]): unknown[] {
  return findPaths(text, 0, paths).map(
    (span) => span && (JSON.parse(text.slice(span.start, span.end)) as unknown),
  );
}

const NAMES = ["a", "b", "list", "", 'q"'];

test("paths lead to what a parser finds there", () => {
  const name = fc.constantFrom(...NAMES);
  const { object } = fc.letrec((tie) => ({
    object: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, -2.5e3, null, true, "", 'a "text"', "} ] , :", "\\"),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
  }));
  const step = fc.oneof(name, fc.constant<0>(0));
  const path = fc
    .tuple(name, fc.array(step, { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest]);
  const space = fc.constantFrom(undefined, 1, "\t", "\r\n ");
  fc.assert(
    fc.property(object, fc.array(path, { maxLength: 6 }), space, (value, paths, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(found(text, paths)).toEqual(paths.map((each) => parsedAt(text, each)));
    }),
    { numRuns: 2_000 },
  );
});

test("of doubles the last one counts, with all that is in it", () => {
  const text = '{"a":{"b":1},"c":0,"a":{"d":2},"e":[1],"e":[],"c":{"b":3}}';
  expect(found(text, [["a", "b"], ["a", "d"], ["e", 0], ["c"], ["c", "b"]])).toEqual([
    undefined,
    2,
    undefined,
    { b: 3 },
    3,
  ]);
});

test("a name may be written with an escape", () => {
  expect(found('{"\\u0061":{"b\\"":1}}', [["a", 'b"']])).toEqual([1]);
});

test("what leads to the same place is found each by itself", () => {
  expect(found('{"a":[{"b":5}]}', [["a"], ["a", 0], ["a", 0, "b"], ["a", 0, "b"]])).toEqual([
    [{ b: 5 }],
    { b: 5 },
    5,
    5,
  ]);
});
