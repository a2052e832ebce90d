import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { parseKeepingEscapes } from "./kept-escapes.ts";

describe("JSON whose escapes are kept", () => {
  test("reads JSON without escapes as everybody does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        const text = JSON.stringify(value, null, 1);
        fc.pre(!/\\u/.test(text));
        expect(parseKeepingEscapes(text) as unknown).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  test("leaves \\uXXXX as it was sent and undoes the other escapes", () => {
    expect(parseKeepingEscapes('"\\u4f5c\\u8005 \\n\\"\\/\\\\"')).toBe('\\u4f5c\\u8005 \n"/\\');
    expect(parseKeepingEscapes('{"\\u0061":1}')).toMatchObject({ "\\u0061": 1 });
  });

  test("tells an escape from a backslash that is one itself", () => {
    expect(parseKeepingEscapes('"\\\\u4f5c"')).toBe("\\u4f5c");
    expect(parseKeepingEscapes('"\\\\\\u4f5c\\\\"')).toBe("\\\\u4f5c\\");
    expect(parseKeepingEscapes('"\\"\\\\u"')).toBe('"\\u');
  });

  test.each([
    "",
    "{",
    '{"a":1,}',
    "[1,]",
    '"a',
    '"\\u12"',
    '"\\x"',
    '"\n"',
    "01",
    "tru",
    "1 2",
    "{a:1}",
    "[".repeat(200),
  ])("refuses %j", (text) => {
    expect(() => parseKeepingEscapes(text)).toThrow(SyntaxError);
  });

  test("a sender cannot reach the prototype", () => {
    const value = parseKeepingEscapes('{"__proto__":{"x":1}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(value.x).toBeUndefined();
  });
});
