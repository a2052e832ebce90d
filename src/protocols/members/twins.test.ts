import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { Fault } from "../../lib/faults.ts";
import { Shape } from "./shape.ts";
import { refuseTwins, refuseTwinsInSteps } from "./twins.ts";

const TOOL = new Shape(["type", "parameters"], { tools: "same" });
const SHAPE = new Shape(["model", "max_tokens", "metadata", "stream"], { tools: TOOL });

function paramOf(text: string): string | null | undefined {
  try {
    refuseTwins(text, SHAPE);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    expect(thrown.fault).toBe("duplicate_parameter");
    return thrown.param;
  }
}

describe("a request is refused", () => {
  test.each([
    ["a member stands twice", '{"model":"a","model":"b"}', "model"],
    ["however it is escaped", '{"model":"a","mod\\u0065l":"b"}', "model"],
    ["one that nobody knows too", '{"x":1,"y":2,"x":3}', "x"],
    ["a name differs from one that is read by its capitals", '{"Model":"a"}', "Model"],
    ["beside that one", '{"model":"a","MAX_TOKENS":9,"max_tokens":1}', "MAX_TOKENS"],
    ["by a letter that only looks like one of its own", '{"\\u017ftream":true}', "ſtream"],
    ["by another such letter", '{"to\\u212Aens":1,"max_to\\u212Aens":1}', "max_to\u212Aens"],
    ["a tool has two types", '{"tools":[{"type":"a"},{"type":"b","type":"a"}]}', "tools[1].type"],
    ["a tool spells its type in another way", '{"tools":[{"Type":"a"}]}', "tools[0].Type"],
    ["a tool inside a group does", '{"tools":[{"tools":[{"TYPE":1}]}]}', "tools[0].tools[0].TYPE"],
    ["a tool that stands alone does", '{"tools":{"Type":1}}', "tools.Type"],
    [
      "with space around it all",
      ' { "tools" : [ { "type" : 1 , "type" : 2 } ] } ',
      "tools[0].type",
    ],
  ])("where %s", (_when, text, param) => {
    expect(paramOf(text)).toBe(param);
  });

  test("by words that name the member and the fix", () => {
    expect(() => refuseTwins('{"tools":[{"Type":1}]}', SHAPE)).toThrow(
      "The parameter 'tools[0].Type' differs from 'type' only by its capitals; write 'type'.",
    );
    expect(() => refuseTwins('{"a":1,"a":2}', SHAPE)).toThrow("The parameter 'a' is given twice.");
  });
});

test("however many names a shape has, each of them may come once", () => {
  const names = Array.from({ length: 70 }, (_, i) => `name_${i}`);
  const shape = new Shape(names);
  const written = names.map((name) => `"${name}":1`).join(",");
  expect(refuseTwins(`{${written}}`, shape)).toHaveLength(names.length);
  for (const name of names) {
    expect(() => refuseTwins(`{${written},"${name}":2}`, shape)).toThrow(
      `The parameter '${name}' is given twice.`,
    );
  }
});

describe("what is the client's own may hold anything", () => {
  test.each([
    ["a schema", '{"tools":[{"type":"a","parameters":{"id":1,"ID":2,"Type":3}}]}'],
    ["metadata", '{"metadata":{"Model":"a","model":"b","model":"c"}}'],
    ["what nobody here reads", '{"other":{"id":1,"ID":2}}'],
    ["names that nobody here reads", '{"other":1,"Other":2}'],
    ["a text that looks like members", '{"model":"{\\"model\\":1,\\"Model\\":2}"}'],
    ["a name of the language's own", '{"__proto__":1,"constructor":2,"toString":3}'],
  ])("%s", (_what, text) => {
    expect(paramOf(text)).toBeUndefined();
  });

  test("and so may any JSON whose names nobody reads", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, spaced) => {
        const known = ["model", "max_tokens", "metadata", "stream", "tools"];
        const names = Object.keys(value).map((name) => name.toUpperCase().toLowerCase());
        fc.pre(!names.some((name) => known.includes(name)));
        expect(paramOf(JSON.stringify(value, null, spaced ? 2 : 0))).toBeUndefined();
      }),
    );
  });
});

test("an object of very many names is looked through once", () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `"n${i}":0`).join(",");
  expect(paramOf(`{${names}}`)).toBeUndefined();
  expect(paramOf(`{${names},"n5":1}`)).toBe("n5");
});

describe("others have their turns while a large text is gone through", () => {
  const CHARS = 3 * 1024 * 1024;
  const space = " ".repeat(CHARS);
  const element = `{"type":"a","parameters":{"x":"\\"${"y".repeat(100)}"}},`;
  const tools = element.repeat(CHARS / element.length);

  test.each([
    ["space before it", `${space}{}`],
    ["space behind a name", `{"model"  :${space}1}`],
    ["space in what nobody looks into", `{"other":[${space}]}`],
    ["space in a list that is looked into", `{"tools":[${space}]}`],
    ["numbers", `{"other":[${"1234567,".repeat(CHARS / 8)}1]}`],
    ["tools", `{"tools":[${tools}{}]}`],
  ])("of %s", async (_what, text) => {
    const turns = await ticksDuring(() => refuseTwinsInSteps(text, SHAPE, new Map()));
    // A turn for each half of a megabyte.
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test("and what is refused stays refused", async () => {
    const text = `{"tools":[${tools}{"Type":1}]}`;
    const index = Math.floor(CHARS / element.length);
    await expect(refuseTwinsInSteps(text, SHAPE, new Map())).rejects.toThrow(
      `The parameter 'tools[${index}].Type' differs from 'type' only by its capitals; write 'type'.`,
    );
  });
});
