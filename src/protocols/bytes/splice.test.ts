import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { type Edits, JsonText, Unwritten, withMember } from "./splice.ts";

const edit = (text: string, edits: Edits, from = 0) => new JsonText(text, from).edit(edits);

const NAMES = ["model", "store", "usage", "a", "stream_options"];

function spaced(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

describe("edit", () => {
  test("replaces a value and leaves every other character alone", () => {
    const text = '{ "seed": 12345678901234567890, "model" : "a", "x": [1.0, "\\u0041\\""] }';
    expect(edit(text, { model: '"b"' })).toBe(
      '{ "seed": 12345678901234567890, "model" : "b", "x": [1.0, "\\u0041\\""] }',
    );
  });

  test("is not misled by the same name inside strings and nested objects", () => {
    const text = '{"m":"\\"model\\":\\"no\\"","o":{"model":"no"},"model":"yes"}';
    expect(JSON.parse(edit(text, { model: '"new"' }))).toEqual({
      m: '"model":"no"',
      o: { model: "no" },
      model: "new",
    });
  });

  test("means what changing the parsed object would mean, for any object and any edits", () => {
    const object = fc.dictionary(
      fc.oneof(
        fc.constantFrom(...NAMES),
        fc.string().filter((name) => name !== "__proto__"),
      ),
      fc.jsonValue(),
    );
    const edits = fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.option(fc.jsonValue(), { nil: undefined }),
    );
    fc.assert(
      fc.property(object, edits, fc.boolean(), (value, changes, pretty) => {
        const text = pretty ? spaced(value) : JSON.stringify(value);
        const expected: Record<string, unknown> = JSON.parse(text);
        for (const [name, change] of Object.entries(changes)) {
          if (change === undefined) delete expected[name];
          else expected[name] = JSON.parse(JSON.stringify(change));
        }
        const editsBy = (edit: (change: unknown) => Edits[string]) =>
          Object.fromEntries(
            Object.entries(changes).map(([name, change]) => [
              name,
              change === undefined ? undefined : edit(change),
            ]),
          );
        const written = edit(text, editsBy(JSON.stringify));
        expect(JSON.parse(written)).toEqual(expected);
        const unwritten = editsBy((change) => new Unwritten(change));
        expect(edit(text, unwritten)).toBe(written);
        expect([...new JsonText(text).pieces(unwritten)].join("")).toBe(written);
      }),
      { numRuns: count(100, 500) },
    );
  });

  test("leaves no stray comma, whichever neighbours are taken out together", () => {
    const names = ["a", "b", "c", "d"];
    const text = '{"a":1, "b":[2], "c":{"x":3},"d":4}';
    for (let mask = 0; mask < 16; mask++) {
      const taken = names.filter((_, i) => mask & (1 << i));
      const edits = Object.fromEntries(taken.map((name) => [name, undefined]));
      const left = Object.keys(JSON.parse(edit(text, edits)));
      expect(left).toEqual(names.filter((name) => !taken.includes(name)));
      expect(Object.keys(JSON.parse(edit(text, { ...edits, e: "5" })))).toEqual([...left, "e"]);
    }
  });

  test("knows a name however it is escaped, and no other by what it looks like", () => {
    const text = '{"mod\\u0065l":1,"\\u0061":2,"\\"":3,"\\\\n":4,"":5,"models":6,"mode":7}';
    const names = ["model", "a", '"', "\\n", "", "\n", "mod\\u0065l"];
    for (const name of names) {
      const expected: Record<string, unknown> = { ...JSON.parse(text), [name]: 0 };
      expect(JSON.parse(edit(text, { [name]: "0" }))).toEqual(expected);
      delete expected[name];
      expect(JSON.parse(edit(text, { [name]: undefined }))).toEqual(expected);
    }
  });

  test("changes many members as it changes few", () => {
    const names = Array.from({ length: 30 }, (_, i) => `a${i}`);
    const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, name])));
    const edits = Object.fromEntries(
      names.slice(10).map((name, i) => [name, i % 2 === 0 ? "[]" : undefined]),
    );
    const odd = names.filter((_, i) => i > 10 && i % 2 === 1);
    const written: Record<string, unknown> = JSON.parse(edit(text, { ...edits, b: "1" }));
    expect(written).toMatchObject({ a0: "a0", a9: "a9", a10: [], a28: [], b: 1 });
    expect(names.filter((name) => !(name in written))).toEqual(odd);
  });

  test("works on an object inside a longer text", () => {
    const text = '{"type":"x","response":{"model":"a","n":1}}';
    const span = new JsonText(text).locate("response");
    expect(edit(text, { model: '"b"', n: undefined }, span?.start)).toBe(
      '{"type":"x","response":{"model":"b"}}',
    );
  });
});

test("a new value is written only when its piece is asked for", () => {
  let isRead = false;
  const value = {
    get long() {
      isRead = true;
      return "x".repeat(200_000);
    },
  };
  const json = new JsonText('{"a":1,"b":2}');
  const pieces = json.pieces({ b: new Unwritten(value) })[Symbol.iterator]();
  expect([pieces.next().value, isRead]).toEqual(['{"a":1,"b":', false]);
  expect(String(pieces.next().value).slice(0, 10)).toBe('{"long":"x');
  expect(isRead).toBeTrue();
});

test("an object that is not written yet is written as JSON.stringify writes it, at once or in steps", async () => {
  const value = { a: [1, "狐".repeat(200_000)], b: undefined, c: null };
  const text = JSON.stringify(value);
  expect(new JsonText(new Unwritten(value)).text).toBe(text);
  const json = new JsonText(new Unwritten(value));
  expect(await json.write()).toBe(text);
  expect(json.edit({ c: "1" })).toBe(JSON.stringify({ ...value, c: 1 }));
});

describe("withMember", () => {
  test.each([
    ["{}", { cost: 1 }],
    ["{ }", { cost: 1 }],
    ['{"a":2}', { a: 2, cost: 1 }],
    ['{"cost":7,"a":2}', { cost: 1, a: 2 }],
    ['{"a":{"cost":7}} ', { a: { cost: 7 }, cost: 1 }],
  ])("adds to %p, or sets what is there", (object, expected) => {
    expect(JSON.parse(withMember(object, "cost", "1"))).toEqual(expected);
  });
});

test("an object without a member means what it would if it never had it", () => {
  const name = "models";
  const object = fc.dictionary(
    fc.oneof(fc.constantFrom(name, ...NAMES), fc.string({ maxLength: 3 })),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const edits = fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.option(fc.jsonValue().map(spaced), { nil: undefined }),
  );
  const same = fc.property(object, edits, fc.boolean(), (value, wanted, isLookedThrough) => {
    const json = new JsonText(spaced(value));
    if (isLookedThrough) json.locate(name);
    const left = json.without(name);
    const never = new JsonText(json.edit({ [name]: undefined }));
    // But for the space around what is added to an object that has nothing left.
    expect(JSON.parse(left.edit(wanted))).toEqual(JSON.parse(never.edit(wanted)));
    expect(left.edit({})).toBe(never.text);
    expect(left.locate(name)).toBeUndefined();
  });
  fc.assert(same);
});
