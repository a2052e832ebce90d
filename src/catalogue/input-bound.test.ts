import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../test/support/any-character.ts";
import { TOKEN_FAMILIES, TOKEN_FAMILY_NAMES, type TokenFamily } from "./bounds/families.ts";
import { textBound } from "./bounds/text-meter.ts";
import { openVocabulary, type VocabularyName } from "./bounds/vocabularies.ts";
import { inputBound } from "./input-bound.ts";
import { measureInput } from "./input-measure.ts";
import { shippedCatalogue } from "./models.ts";

const openai = { tokenFamily: "openai", context: 10_000_000 } as const;
const anthropic = { tokenFamily: "anthropic", context: 10_000_000 } as const;
const vocabularies: VocabularyName[] = ["o200k", "any"];
const enough = 10_000_000;

type Reader = Parameters<typeof inputBound>[1];

function boundOf(conversation: unknown, tools?: unknown, model: Reader = openai): number {
  return inputBound(measureInput({ conversation, tools }, { vocabularies, enough }), model);
}

const message = (content: unknown) => [{ role: "user", content }];
const EMPTY = boundOf(message(""));

describe("inputBound", () => {
  test("has every text, whatever the shape, and what stands around messages", () => {
    const text = "Nobody expected the meadow to be under water. ".repeat(20);
    const tokens = textBound(text, openVocabulary("o200k"));
    expect(boundOf(message(text)) - EMPTY).toBe(tokens);
    const parts = boundOf(message([{ type: "input_text", text }]));
    expect(parts).toBeGreaterThanOrEqual(boundOf(message(text)));
    expect(boundOf([message(""), message("")]) - EMPTY).toBeGreaterThan(3);
  });

  test("is far above the estimate for text that is denser than it looks", () => {
    const dense = "q7#Zx!9k".repeat(500);
    const measure = measureInput(
      { conversation: message(dense), tools: undefined },
      { vocabularies, enough },
    );
    expect(measure.estimate).toBeLessThan(dense.length * 0.3);
    expect(inputBound(measure, openai)).toBeGreaterThan(dense.length * 0.9);
  });

  test("of a measure that looked at no letters is coarser, never lower", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.jsonValue(), (text, value) => {
        for (const model of [openai, anthropic]) {
          const input = { conversation: message(text), tools: [{ name: "f", parameters: value }] };
          const coarse = inputBound(measureInput(input), model);
          const fine = inputBound(measureInput(input, { vocabularies, enough }), model);
          expect(coarse).toBeGreaterThanOrEqual(fine);
        }
      }),
    );
  });

  test("grows by the family's factor, up to a token for each byte", () => {
    const bound = (text: string) =>
      boundOf(message(text), undefined, anthropic) - boundOf(message(""), undefined, anthropic);
    const words = "Nobody expected the meadow to be under water. ".repeat(20);
    const { factor } = TOKEN_FAMILIES.anthropic;
    expect(bound(words)).toBe(Math.ceil(textBound(words, openVocabulary("any")) * factor));
    // The role is a text too, and its bytes leave a little room.
    expect(bound("7".repeat(1_000))).toBeGreaterThanOrEqual(1_000);
    expect(bound("7".repeat(1_000))).toBeLessThanOrEqual(1_000 + "user".length);
  });

  test("never passes what the model can read", () => {
    const measure = measureInput({ conversation: "x".repeat(5_000), tools: undefined });
    expect(inputBound(measure, { ...openai, context: 128 })).toBe(128);
  });

  test("takes a picture for what the detail asked for may cost", () => {
    const { image } = TOKEN_FAMILIES.openai;
    const bound = (part: object) =>
      boundOf([part]) - boundOf([{ type: "input_image", image_url: 0 }]);
    const url = "data:image/png;base64,AAAA";
    expect(bound({ type: "input_image", image_url: url, detail: "low" })).toBeLessThan(image.high);
    expect(bound({ type: "input_image", image_url: url })).toBeGreaterThan(image.high);
    const nested = { type: "image_url", image_url: { url, detail: "high" } };
    expect(bound(nested)).toBeGreaterThanOrEqual(image.high - 1);
    expect(bound(nested)).toBeLessThan(image.other);
    const far = { type: "input_image", image_url: "https://example.com/a.png" };
    expect(bound(far)).toBeGreaterThanOrEqual(image.other);
  });

  test("takes nothing for a picture that is written out for the model as text", () => {
    const url = `data:image/png;base64,${"iVBORw0KGgo".repeat(10_000)}`;
    const call = { type: "tool_use", name: "look", input: { url } };
    expect(boundOf([{ role: "assistant", content: [call] }])).toBeGreaterThan(60_000);
    const hidden = { source: { media_type: "image/png", data: "iVBORw0KGgo".repeat(10_000) } };
    expect(boundOf([{ type: "tool_use", input: hidden }])).toBeGreaterThan(60_000);
    expect(boundOf([], [{ name: "f", parameters: { url } }])).toBeGreaterThan(60_000);
  });

  test("takes a file of plain text for its bytes, one page at least", () => {
    const { file } = TOKEN_FAMILIES.openai;
    const bound = (part: object) => boundOf([part]) - boundOf([{ type: "input_file" }]);
    const small = bound({ type: "input_file", file_data: "data:text/plain;base64,AAAA" });
    expect(small).toBeGreaterThanOrEqual(file.least);
    const base64 = (chars: number) => `data:text/plain;base64,${"A".repeat(chars)}`;
    const large = bound({ type: "input_file", file_data: base64(400_000) });
    expect(large - small).toBeGreaterThan(299_000);
    const huge = bound({ type: "input_file", file_data: base64(40_000_000) });
    expect(huge).toBe(file.most);
  });

  test.each([
    ["a document, which may unpack to anything", "data:application/pdf;base64,AAAA"],
    ["a file that does not say what it is", "AAAA"],
  ])("takes all that the model can read for %s", (_name, file_data) => {
    expect(boundOf([{ type: "input_file", file_data }])).toBe(openai.context);
  });

  test("takes all that the model can read for a file at an address", () => {
    const far = { type: "input_file", file_url: "https://example.com/a.pdf" };
    expect(boundOf([far])).toBe(openai.context);
  });

  test("takes all that the model can read where its tokenizer is not known", () => {
    const unknown = { tokenFamily: "unknown", context: 32_000 } as const;
    expect(boundOf(message("hi"), undefined, unknown)).toBe(32_000);
  });

  test("takes tools with their names, their marks and the instructions that come with them", () => {
    const tool = { type: "function", name: "weather", parameters: { properties: { city: {} } } };
    const { tools, tool: each, search } = TOKEN_FAMILIES.openai;
    const one = boundOf([], [tool]) - boundOf([]);
    expect(one).toBeGreaterThan(tools + each);
    expect(boundOf([], [tool, tool]) - boundOf([], [tool])).toBe(one - tools);
    expect(boundOf([], [{ type: "web_search" }])).toBeGreaterThan(search);
    expect(boundOf([], [{ googleSearch: {} }])).toBeGreaterThan(search);
  });

  test("takes what grows when it is written as JSON for what it grows to", () => {
    const marks = '"\\\n\u0001'.repeat(100);
    const plain = "????".repeat(100);
    const bound = (text: string) => boundOf([], [{ name: "f", description: text }]);
    expect(bound(marks) - bound(plain)).toBe(100 * (1 + 1 + 3 + 5));
  });

  test("takes a number for as many digits as somebody may have written", () => {
    const bound = (value: number) => boundOf([], [{ name: "f", minimum: value }]);
    expect(bound(1e300)).toBeGreaterThan(bound(123_456_789));
    expect(boundOf([1, 2, 3]) - boundOf([])).toBe(3);
  });

  test("takes sealed thoughts for a token a byte", () => {
    const measure = (sealedChars: number) =>
      inputBound(measureInput({ conversation: [], tools: [], sealedChars }), openai);
    expect(measure(4_000) - measure(0)).toBe(3_000);
  });
});

test("a text that no model reads is not measured to its end", () => {
  const text = "7".repeat(1_000_000);
  const input = { conversation: [text, text], tools: undefined };
  const tokens = (enough: number) =>
    measureInput(input, { vocabularies, enough }).textTokens("any");
  expect(tokens(2_000)).toBeGreaterThan(2_000);
  expect(tokens(2_000)).toBeLessThan(100_000);
  expect(tokens(5_000_000)).toBe(2_000_000);
});

describe("the families", () => {
  /** Every number of a family, by where it stands. */
  function numbersOf(family: TokenFamily): Map<string, number> {
    const flat = Object.entries(family).flatMap(([name, value]) =>
      typeof value === "object"
        ? Object.entries(value).map(([inner, number]) => [`${name}.${inner}`, number] as const)
        : [[name, value] as const],
    );
    return new Map(flat.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
  }

  test.each(TOKEN_FAMILY_NAMES)("an unknown model is bounded no lower than one of %s", (name) => {
    const unknown = numbersOf(TOKEN_FAMILIES.unknown);
    expect(TOKEN_FAMILIES.unknown.vocabulary).toBe("any");
    for (const [where, number] of numbersOf(TOKEN_FAMILIES[name])) {
      // An unknown one is always told how often it may search.
      if (where === "searches_most") continue;
      expect(unknown.get(where)).toBeGreaterThanOrEqual(number);
    }
  });

  test("every shipped model of a vendor has one", () => {
    const families = new Map(
      [...shippedCatalogue().all()].map(({ ownedBy, tokenFamily }) => [ownedBy, tokenFamily]),
    );
    expect([...families.values()]).not.toContain("unknown");
  });
});
