import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { TextMeter, textBound } from "./text-meter.ts";
import { openVocabulary, VOCABULARY_NAMES } from "./vocabularies.ts";

const vocabularies = VOCABULARY_NAMES.map(openVocabulary);
const o200k = openVocabulary("o200k");
const any = openVocabulary("any");

describe("textBound", () => {
  test.each([
    ["nothing", "", 0],
    ["a word that everyone knows, and a space", " the ", 2],
    ["letters that nobody has seen together", "qzqzqzqz", 8],
    ["digits", "2026", 4],
    ["marks", "!?;{", 4],
    ["capitals", "HTTP", 4],
    ["a run of spaces, most of which are one token", " ".repeat(82), 12],
    ["half a pair, as what stands for it", "\ud83d", 3],
    ["a character beyond the first plane", "😀", 4],
    ["a character that is three bytes to everyone", "\ue123", 3],
  ])("counts %s", (_, text, tokens) => {
    expect(textBound(text, o200k)).toBe(tokens);
  });

  test("a known word costs less than the same letters in another order", () => {
    expect(textBound(" remember", any)).toBeLessThan(textBound(" bmrmereee", any));
  });

  test("a character may weigh more than its bytes where it is rewritten as others", () => {
    expect(textBound("\ufdfa", o200k)).toBe(3);
    expect(textBound("\ufdfa", any)).toBeGreaterThan(30);
  });

  test("is never more than a token for each byte where nothing is rewritten", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^[a-я ]*$/),
    );
    fc.assert(
      fc.property(text, (text) => {
        expect(textBound(text, o200k)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });
});

/** Texts whose words are cut wherever a test likes. */
const texts = fc.oneof(
  fc.stringMatching(/^[a-z .,A-Z'0-9]*$/),
  fc.stringMatching(/^[а-я a-z]*$/),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: anyCharacter }),
);

describe("a text in parts", () => {
  test("measured apart is no less than the whole", () => {
    fc.assert(
      fc.property(texts, texts, fc.constantFrom(...vocabularies), (a, b, vocabulary) => {
        const apart = textBound(a, vocabulary) + textBound(b, vocabulary);
        expect(apart).toBeGreaterThanOrEqual(textBound(a + b, vocabulary));
      }),
      { numRuns: 1_000 },
    );
  });

  test("pushed one after the other is no less than the whole and no more than apart", () => {
    fc.assert(
      fc.property(fc.array(texts), fc.constantFrom(...vocabularies), (parts, vocabulary) => {
        const meter = new TextMeter(vocabulary);
        let apart = 0;
        for (const part of parts) {
          meter.push(part);
          apart += textBound(part, vocabulary);
        }
        expect(meter.tokens).toBeGreaterThanOrEqual(textBound(parts.join(""), vocabulary));
        expect(meter.tokens).toBeLessThanOrEqual(apart);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is the same to a letter where the letters are Latin", () => {
    const meter = new TextMeter(o200k);
    const text = "The meadow is still under water, and nobody minds.";
    for (const letter of text) meter.push(letter);
    expect(meter.tokens).toBe(textBound(text, o200k));
  });

  test("does not go on from one text into another", () => {
    const meter = new TextMeter(o200k);
    meter.push("wor");
    meter.cut();
    meter.push("ds");
    expect(meter.tokens).toBe(textBound("wor", o200k) + textBound("ds", o200k));
  });

  test("may be a range of a longer one", () => {
    const meter = new TextMeter(o200k);
    meter.push("say hello to everyone", 4, 9);
    expect(meter.tokens).toBe(textBound("hello", o200k));
  });
});
