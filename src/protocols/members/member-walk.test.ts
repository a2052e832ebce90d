import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsonText } from "../bytes/splice.ts";
import { membersInSteps } from "./member-walk.ts";
import { Shape } from "./shape.ts";
import { refuseTwins } from "./twins.ts";

/** Any JSON of an object, with any space in it. */
const SPACED_OBJECT = fc
  .tuple(
    fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 })),
    fc.stringMatching(/^[ \n\r\t]{0,10}$/),
  )
  .map(([value, space]) => space + JSON.stringify(value, null, space) + space);

describe("the members of an object", () => {
  test("are found where JSON.parse finds them", async () => {
    const found = fc.asyncProperty(SPACED_OBJECT, async (text) => {
      const members = await membersInSteps(text, new Map());
      expect(refuseTwins(text, new Shape([]))).toEqual([...members]);
      const values = members.map(({ name, valueStart, end }): [string, unknown] => [
        String(name),
        JSON.parse(text.slice(valueStart, end)),
      ]);
      const whole = JSON.parse(text) as Record<string, unknown>;
      expect(values.length).toBe(Object.keys(whole).length);
      for (const [name, value] of values) expect(value).toEqual(whole[name]);
    });
    await fc.assert(found);
  });

  test("are those that a text finds itself, also where one stands twice", async () => {
    const text = '{ "a" : [1,{"b":2}] , "c":null,"a":{"d":[]} }';
    const known = new JsonText(text);
    known.know(text, await membersInSteps(text, new Map()));
    const edits = { a: "1", c: undefined, e: "2" };
    expect(known.edit(edits)).toBe(new JsonText(text).edit(edits));
    expect(known.locate("a")).toEqual(new JsonText(text).locate("a"));
  });
});
