// Makes src/catalogue/bounds/vocabularies.json from the tokenizers among the development packages:
//
//   node bin/with-bun test/tokenizers/make-vocabularies.ts
import { deflateRawSync } from "node:zlib";
import { characterWeights, crossingsOf, enteredBehind, growthOf, heaviest } from "./characters.ts";
import { makeWordCuts } from "./make-word-cuts.ts";
import { loadMerges, type Merges, merge, unitsOf } from "./merges.ts";

const LATIN = "abcdefghijklmnopqrstuvwxyz";
/** One letter less than the alphabet: with the space there is room for 32. */
const CYRILLIC = "абвгдежзийклмнопрстуфхцчшщыьэюя";
const CAPITALS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const VOWELS = [..."aeiou"];

const GROUP_MAX = 4;

/** Whether every one of these has the group as one token, and would come to it by merging. */
function isKnown(tokenizers: readonly Merges[], group: string): boolean {
  return tokenizers.every((tokenizer) => {
    return merge(tokenizer, unitsOf(tokenizer, group)).length === 1;
  });
}

/**
 * Groups of 2, 3 and 4 letters that are a token everywhere, shortest first. Only those whose own
 * ends are known too: the bound asks for the longer ones only then.
 */
function knownGroups(tokenizers: readonly Merges[], letters: string): string[] {
  let ends = [...letters];
  const groups: string[] = [];
  for (let length = 2; length <= GROUP_MAX; length++) {
    const longer = ends
      .filter((end) => !end.startsWith(" "))
      .flatMap((end) => [" ", ...letters].map((start) => start + end))
      .filter((group) => isKnown(tokenizers, group));
    groups.push(longer.join(""));
    ends = longer;
  }
  return groups;
}

/**
 * Capitals by what is known behind them, in words that begin with a space: those of one kind are one
 * token with any of the letters named, everywhere.
 */
function capitalKinds(tokenizers: readonly Merges[]) {
  const isOne = (capital: string, letter: string) => isKnown(tokenizers, ` ${capital}${letter}`);
  const soundless = CAPITALS.filter((capital) => VOWELS.every((vowel) => isOne(capital, vowel)));
  const vowels = VOWELS.map((vowel) => vowel.toUpperCase());
  const behind = [...LATIN].filter((letter) => vowels.every((vowel) => isOne(vowel, letter)));
  return [
    { capitals: soundless.join(""), letters: VOWELS.join("") },
    { capitals: vowels.join(""), letters: behind.join("") },
  ];
}

/** Two letters, or a space and a letter, of which the second may be cut in its middle. */
function cutPairs(tokenizers: readonly Merges[], letters: string): string {
  const pairs = new Set<string>();
  for (const tokenizer of tokenizers) {
    const crossings = crossingsOf(tokenizer);
    for (const letter of letters) {
      const before = enteredBehind(tokenizer, crossings, letter);
      for (const each of [" ", ...letters]) if (before.has(each)) pairs.add(each + letter);
    }
  }
  return [...pairs].join("");
}

/** Everything that the bound knows of tokenizers. */
export function makeVocabularies() {
  const all = loadMerges();
  const weights = new Map(all.map((tokenizer) => [tokenizer.name, characterWeights(tokenizer)]));

  const vocabulary = (tokenizers: readonly Merges[]) => {
    const characters = heaviest(tokenizers.flatMap(({ name }) => weights.get(name) ?? []));
    return {
      cyrillic: knownGroups(tokenizers, CYRILLIC),
      cut: cutPairs(tokenizers, CYRILLIC),
      growth: growthOf(characters),
      characters: deflateRawSync(characters, { level: 9 }).toString("base64"),
    };
  };
  const of = (tokenizer: string) => vocabulary(all.filter(({ name }) => name === tokenizer));
  return {
    cuts: makeWordCuts(),
    letters: { latin: LATIN, cyrillic: CYRILLIC },
    latin: knownGroups(all, LATIN),
    capitals: capitalKinds(all),
    vocabularies: {
      o200k: of("o200k"),
      gemini: of("gemini"),
      deepseek: of("deepseek"),
      qwen: of("qwen"),
      tekken: of("tekken"),
      any: vocabulary(all),
    },
  };
}

if (import.meta.main) {
  const target = new URL("../../src/catalogue/bounds/vocabularies.json", import.meta.url);
  await Bun.write(target, `${JSON.stringify(makeVocabularies(), null, 2)}\n`);
}
