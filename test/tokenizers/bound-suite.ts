// The bound of a text against real tokenizers: never below their count, and not far above it where
// the text is ordinary writing.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TOKEN_FAMILIES, type TokenFamilyName } from "../../src/catalogue/bounds/families.ts";
import { textBound } from "../../src/catalogue/bounds/text-meter.ts";
import shipped from "../../src/catalogue/bounds/vocabularies.json";
import { openVocabulary, type VocabularyName } from "../../src/catalogue/bounds/vocabularies.ts";
import { inputBound } from "../../src/catalogue/input-bound.ts";
import { measureInput } from "../../src/catalogue/input-measure.ts";
import type { CountedInput } from "../../src/protocols/wire.ts";
import { count } from "../support/counts.ts";
import { ALPHABETS, MADE, numbersFrom, WRITTEN } from "./corpora.ts";
import { PROSE } from "./prose.ts";
import { TOKENIZERS, type TokenizerName } from "./tokenizers.ts";

/** The vocabularies that promise to hold for a tokenizer. */
export function vocabulariesOf(name: TokenizerName): VocabularyName[] {
  return name in shipped.vocabularies ? [name as VocabularyName, "any"] : ["any"];
}

/** These begin every text with a token of their own, which the bound of a request has apart. */
const OWN_TOKENS: Partial<Record<TokenizerName, number>> = { llama2: 1, mistral: 1 };

export function tokensOf(name: TokenizerName, text: string): number {
  return Math.max(0, TOKENIZERS[name](text) - (OWN_TOKENS[name] ?? 0));
}

/** Counts of texts that several tests ask for: some tokenizers take half a second for all of them. */
const writtenTokens = new Map<string, number>();

function tokensOfWritten(name: TokenizerName, kind: string): number {
  const key = `${name} ${kind}`;
  const tokens = writtenTokens.get(key) ?? tokensOf(name, WRITTEN[kind] as string);
  writtenTokens.set(key, tokens);
  return tokens;
}

function expectBounded(name: TokenizerName, text: string, tokens = tokensOf(name, text)): void {
  for (const vocabulary of vocabulariesOf(name)) {
    const bound = textBound(text, openVocabulary(vocabulary));
    if (tokens > bound) {
      throw new Error(`${name} makes ${tokens} of ${JSON.stringify(text)}, ${vocabulary} ${bound}`);
    }
  }
}

/** Texts of every kind against some of the tokenizers. */
export function expectTextsBounded(names: readonly TokenizerName[]): void {
  describe.each(names)("a text that %s reads", (name) => {
    test.each(Object.keys(WRITTEN))("is never more than its bound: %s", (kind) => {
      expectBounded(name, WRITTEN[kind] as string, tokensOfWritten(name, kind));
    });

    test.each(Object.keys(MADE))("is never more than its bound, made by chance: %s", (kind) => {
      const random = numbersFrom(1);
      for (let i = count(2, 40); i > 0; i--) expectBounded(name, MADE[kind]?.(random) as string);
    });

    test("is never more than the bounds of its parts", () => {
      const random = numbersFrom(2);
      const written = Object.entries(WRITTEN).map(
        ([kind, text]) => [text, tokensOfWritten(name, kind)] as const,
      );
      const made = Object.values(MADE)
        .map((make) => make(random))
        .map((text) => [text, tokensOf(name, text)] as const);
      for (const [text, tokens] of [...written, ...made]) {
        for (const vocabulary of vocabulariesOf(name)) {
          const table = openVocabulary(vocabulary);
          let apart = 0;
          for (let at = 0; at < text.length; ) {
            const next = at + 1 + Math.floor(random() * 9);
            apart += textBound(text.slice(at, next), table);
            at = next;
          }
          expect(apart).toBeGreaterThanOrEqual(tokens);
        }
      }
    });

    test.each(Object.keys(ALPHABETS))("stays below it for whoever looks for more: %s", (kind) => {
      expect(worstFound(name, ALPHABETS[kind] as string[])).toBeLessThanOrEqual(1);
    });
  });
}

const CLIMB_CHARS = 48;

/** The most of count / bound that small changes lead to, each kept unless it makes things worse. */
function worstFound(name: TokenizerName, alphabet: readonly string[]): number {
  const random = numbersFrom(3);
  const below = (limit: number) => Math.floor(random() * limit);
  const letter = () => alphabet[below(alphabet.length)] as string;
  const ratio = (letters: readonly string[]) => {
    const text = letters.join("");
    const bounds = vocabulariesOf(name).map((each) => textBound(text, openVocabulary(each)));
    return tokensOf(name, text) / Math.min(...bounds);
  };
  let letters = Array.from({ length: CLIMB_CHARS }, letter);
  let worst = ratio(letters);
  for (let step = count(12, 250); step > 0; step--) {
    const next = [...letters];
    const length = 1 + below(5);
    const piece =
      random() < 0.5 ? Array.from({ length }, letter) : letters.slice(below(40)).slice(0, length);
    next.splice(below(CLIMB_CHARS), length, ...piece);
    const found = ratio(next.slice(0, CLIMB_CHARS));
    if (found < worst) continue;
    worst = found;
    letters = next.slice(0, CLIMB_CHARS);
  }
  return worst;
}

/** Whose tokenizer stands for a family, and how many times as many its newest models count. */
const FAMILIES: readonly (readonly [TokenFamilyName, TokenizerName, number])[] = [
  ["openai", "o200k", 1],
  ["openai_embeddings", "cl100k", 1],
  ["anthropic", "claude", 1.3],
  ["google", "gemini", 1],
  ["deepseek", "deepseek", 1],
  ["qwen", "qwen", 1],
  ["mistral", "tekken", 1],
];

/** Families whose tokenizer is one of these: prose, and whole requests. */
export function expectRequestsBounded(names: readonly TokenizerName[]): void {
  const families = FAMILIES.filter(([, tokenizer]) => names.includes(tokenizer));
  describe.each(families)("ordinary writing for %s", (family, tokenizer, newer) => {
    const { vocabulary, factor } = TOKEN_FAMILIES[family];

    test.each(Object.keys(PROSE))("is bounded at 2.5 times its tokens at most: %s", (language) => {
      const text = PROSE[language as keyof typeof PROSE];
      const bound = textBound(text, openVocabulary(vocabulary)) * factor;
      expect(bound / (TOKENIZERS[tokenizer](text) * newer)).toBeLessThanOrEqual(2.5);
    });

    test("leaves room for all that its newest models count", () => {
      expect(factor).toBeGreaterThanOrEqual(newer);
    });
  });

  describe.each(families)("a request to a model of %s", (tokenFamily, tokenizer) => {
    const { vocabulary } = TOKEN_FAMILIES[tokenFamily];
    const boundOf = (input: CountedInput) => {
      const measure = measureInput(input, {
        vocabularies: [vocabulary],
        enough: Number.POSITIVE_INFINITY,
      });
      return inputBound(measure, { tokenFamily, context: 10_000_000 });
    };

    test("is no more than its bound as the text that a model reads", () => {
      const random = numbersFrom(4);
      const texts = [...Object.values(WRITTEN), ...Object.values(MADE).map((make) => make(random))];
      const messages = texts.map((content, i) => ({ role: i % 2 ? "assistant" : "user", content }));
      const turns = messages.map(({ role, content }) => {
        return `<|im_start|>${role}\n${content}<|im_end|>\n`;
      });
      const tokens = TOKENIZERS[tokenizer](turns.join(""));
      expect(tokens).toBeLessThanOrEqual(boundOf({ conversation: messages, tools: undefined }));
    });

    test("is no more than its bound with tools written as JSON, however they are laid out", () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.string(), fc.integer(), (value, description, number) => {
          const tools = [{ name: "f", description, parameters: { value, number } }];
          const bound = boundOf({ conversation: undefined, tools });
          for (const indent of [0, 1, 2, 4]) {
            const text = JSON.stringify(tools, undefined, indent);
            expect(TOKENIZERS[tokenizer](text)).toBeLessThanOrEqual(bound);
          }
        }),
        { numRuns: count(15, 300) },
      );
    });

    test("is no more than its bound with calls written as JSON", () => {
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
          const conversation = [{ type: "tool_use", name: "f", input }];
          const bound = boundOf({ conversation, tools: undefined });
          const text = JSON.stringify(input, undefined, 2);
          expect(TOKENIZERS[tokenizer](text)).toBeLessThanOrEqual(bound);
        }),
        { numRuns: count(15, 300) },
      );
    });
  });
}
