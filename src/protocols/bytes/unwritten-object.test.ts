import { expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../fields.ts";
import { JsonText, Unwritten } from "./splice.ts";
import { UnwrittenObject } from "./unwritten-object.ts";

const NAME = fc.constantFrom("a", "b", "c", 'd"', "");
const EDIT = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => new Unwritten(value)),
  fc.constant(undefined),
);

test("an object without a text is written as its text would be, with the same changes", () => {
  fc.assert(
    fc.property(fc.dictionary(NAME, fc.jsonValue()), fc.dictionary(NAME, EDIT), (value, edits) => {
      const object = value as JsonObject;
      const text = new JsonText(JSON.stringify(object));
      expect([...new UnwrittenObject(object).written(edits)].join("")).toBe(text.edit(edits));
    }),
  );
});

test("its members are told as they will be written", () => {
  const object = new UnwrittenObject({ usage: { tokens: 1 }, left: undefined });
  expect(object.memberText("usage")).toBe('{"tokens":1}');
  expect(object.memberText("left")).toBeUndefined();
  expect(object.memberText("none")).toBeUndefined();
});

test("members that are undefined are not written", () => {
  const written = new UnwrittenObject({ left: undefined, list: [undefined] }).written({});
  expect([...written].join("")).toBe('{"list":[null]}');
});
