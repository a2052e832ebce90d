import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { closingQuote } from "./json-string.ts";
import { SteppedParser } from "./stepped-parser.ts";

/** So small that every text is cut wherever it can be. */
const TINY = { stepChars: 7, longChars: 5, runChars: 9 };

/** What a parser makes of a text; the word for what is no JSON. */
async function made(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return "refused";
    throw thrown;
  }
}

async function expectSame(text: string): Promise<void> {
  const plain = await made(() => JSON.parse(text));
  for (const steps of [TINY, undefined]) {
    const stepped = new SteppedParser(text, (at) => closingQuote(text, at), steps);
    expect(await made(() => stepped.parse())).toEqual(plain);
    if (plain !== "refused") expectFound(text, stepped);
  }
}

/** The members that were found make the text again, but for what stands around them. */
function expectFound(text: string, { members }: SteppedParser): void {
  const isObject = text.trimStart().startsWith("{");
  const written = members.map(({ start, end }) => text.slice(start, end));
  expect(JSON.parse(`{${written.join(",")}}`)).toEqual(isObject ? JSON.parse(text) : {});
  for (const { name, start, valueStart, end } of members) {
    const own = JSON.parse(`{${text.slice(start, end)}}`);
    expect(own).toEqual({ [String(name)]: JSON.parse(text.slice(valueStart, end)) });
  }
}

const runs = { numRuns: count(25, 5_000) };

/** Letters of strings, with all that is escaped in one way or another. */
const letters = fc.string({
  unit: fc.constantFrom('"', "\\", "\n", "\u0001", "a", "é", "漢", "\ud83d", "\ude00", "/", "u"),
  maxLength: 40,
});
const values = fc.letrec((again) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.constant(null), letters),
    fc.array(again("value"), { maxLength: 12 }),
    fc.dictionary(fc.oneof(letters, fc.constant("__proto__")), again("value"), { maxKeys: 6 }),
  ),
})).value;

/** Writes each character that needs no escape as one, here and there. */
function escapedMore(text: string): string {
  return text.replaceAll(/[aéu]/g, (letter, at: number) =>
    at % 3 === 0 && !/[\\tfnr]|true|null|false/.test(text.slice(at - 4, at + 5))
      ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
      : letter,
  );
}

describe("a text that is parsed in steps", () => {
  test("is what JSON.parse makes of it, whatever is in it and wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom("", " ", "\n\t"), async (value, space) => {
        const text = JSON.stringify(value, null, space);
        await expectSame(text);
        await expectSame(` ${escapedMore(text)}\r\n `);
      }),
      runs,
    );
  });

  test("is refused where JSON.parse refuses it: a character gone, another or one more", async () => {
    const change = fc.constantFrom(
      "",
      ",",
      "]",
      "}",
      "[",
      "{",
      '"',
      ":",
      "\\",
      "0",
      "-",
      "x",
      "\n",
    );
    await fc.assert(
      fc.asyncProperty(values, fc.nat(), change, fc.boolean(), async (value, place, put, over) => {
        const text = JSON.stringify(value);
        const at = place % (text.length + 1);
        await expectSame(text.slice(0, at) + put + text.slice(at + (over ? 1 : 0)));
      }),
      runs,
    );
  });

  test.each([
    "",
    " ",
    "[1,]",
    '["a",]',
    "[,1]",
    '[1 "a"]',
    '[1,,"a"]',
    "[1}",
    '{"a":1,}',
    '{"a" 1}',
    "{1:1}",
    '{"a":}',
    '"a',
    '"\\',
    '"\\u12"',
    '"aaaaaaaaaaaaaaaaa\\u12"',
    `"aaaaaaaa${"\\\\".repeat(9)}"`,
    `"${"\\u00e9".repeat(9)}"`,
    '"aaaaaaaaaa\u0001aaa"',
    "[1] 2",
    "-",
    "01",
    "1e999",
    "[truefalse]",
    `[${"1, ".repeat(40)}"x", 2]`,
    `[${"9".repeat(60)}, 1]`,
    '{"a":1,"a":2,"__proto__":{"b":1},"1":0}',
  ])("%p", expectSame);

  test("makes a member of __proto__, not a parent", async () => {
    const text = '{"__proto__":{"admin":true}}';
    const value = await new SteppedParser(text, (at) => closingQuote(text, at)).parse();
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });

  test("refuses a name that takes too long", async () => {
    const parse = (text: string) => new SteppedParser(text, (at) => closingQuote(text, at)).parse();
    const named = (chars: number) => `{"a":{"${"x".repeat(chars)}":1}}`;
    const taken = named(128 * 1024 - 1);
    expect(await parse(taken)).toEqual(JSON.parse(taken));
    await expect(parse(named(128 * 1024))).rejects.toThrow(
      "A name of the body has 131072 characters or more; send a shorter one.",
    );
  });

  test("refuses what is deeper than anything, and gives others their turns on the way", async () => {
    const parse = (text: string) => new SteppedParser(text, (at) => closingQuote(text, at)).parse();
    const nested = (depth: number) => `${'[{"a":'.repeat(depth)}0${"}]".repeat(depth)}`;
    // Each level counts for 128 characters, of which it takes 256 Ki at a time.
    expect(await ticksDuring(() => parse(nested(5_000)))).toBeGreaterThanOrEqual(4);
    await expect(parse(nested(5_001))).rejects.toThrow(SyntaxError);
    // Those that lie side by side do not add up.
    expect(await parse(`[${"[],{},[0],".repeat(9_000)}0]`)).toHaveLength(27_001);
  });

  test.each(["", "[", '{"a":'])(
    "refuses a number that takes too long, behind %p",
    async (before) => {
      const parse = (text: string) =>
        new SteppedParser(text, (at) => closingQuote(text, at)).parse();
      const digits = 128 * 1024;
      const close = before === "" ? "" : before === "[" ? "]" : "}";
      const taken = `${before}${"1".repeat(digits - 1)}${close}`;
      expect(await parse(taken)).toEqual(JSON.parse(taken));
      await expect(parse(`${before}${"1".repeat(digits)}${close}`)).rejects.toThrow(
        "A number of the body has 131072 characters or more; send a shorter one.",
      );
    },
  );
});
