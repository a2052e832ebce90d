// Every tokenizer, and the shipped vocabularies against all of them.
import { afterAll, describe, expect, test } from "bun:test";
import { textBound } from "../../src/catalogue/bounds/text-meter.ts";
import shipped from "../../src/catalogue/bounds/vocabularies.json";
import { openVocabulary, type VocabularyName } from "../../src/catalogue/bounds/vocabularies.ts";
import { count } from "../support/counts.ts";
import {
  expectRequestsBounded,
  expectTextsBounded,
  tokensOf,
  vocabulariesOf,
} from "../tokenizers/bound-suite.ts";
import { WRITTEN } from "../tokenizers/corpora.ts";
import { makeVocabularies } from "../tokenizers/make-vocabularies.ts";
import { loadMerges, merge, unitsOf } from "../tokenizers/merges.ts";
import { TOKENIZERS, type TokenizerName } from "../tokenizers/tokenizers.ts";

const NAMES = Object.keys(TOKENIZERS) as TokenizerName[];

expectTextsBounded(NAMES);
expectRequestsBounded(NAMES);

describe("the shipped vocabularies", () => {
  const all = loadMerges();

  test("hold the groups of letters that are one token to every tokenizer", () => {
    for (const [i, groups] of shipped.latin.entries()) {
      const length = i + 2;
      const step = length * count(7, 1);
      for (let at = 0; at < groups.length; at += step) {
        const group = groups.slice(at, at + length);
        for (const each of all) expect(merge(each, unitsOf(each, group))).toHaveLength(1);
      }
    }
  });

  test("have every capital as one token with the space before it", () => {
    for (const capital of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
      for (const each of all) expect(merge(each, [" ", capital])).toHaveLength(1);
    }
  });

  test("have every contraction as one token wherever a tokenizer cuts behind it", () => {
    const cutting = all.filter(({ unit }) => unit === "byte");
    for (const contraction of ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"]) {
      for (const each of cutting) expect(merge(each, [...contraction])).toHaveLength(1);
    }
  });

  test("know that no token goes on from anything visible into a space", () => {
    for (const { tokens, unit } of all) {
      const into = unit === "byte" ? /[!-~] / : /[^ ] /;
      const crossing = [...tokens].filter((token) => into.test(token) && !/^<.*>$/.test(token));
      expect(crossing).toEqual([]);
    }
  });

  test("are what the script makes of the tokenizers", () => {
    expect(makeVocabularies()).toEqual(shipped);
  });
});

afterAll(() => {
  const row = (cells: readonly string[]) => cells.map((cell) => cell.padEnd(9)).join(" ");
  const lines = Object.entries(WRITTEN).map(([kind, text]) => {
    const ratios = NAMES.map((name) => {
      const bound = textBound(text, openVocabulary(vocabulariesOf(name)[0] as VocabularyName));
      return (bound / tokensOf(name, text)).toFixed(2);
    });
    return row([kind.slice(0, 9), ...ratios]);
  });
  console.log([row(["", ...NAMES]), ...lines].join("\n"));
});
