import { describe, expect, test } from "bun:test";
import { wholeHelp } from "./help.ts";
import { readLanguage, WORDS } from "./language.ts";
import { fill } from "./messages.ts";

const AREAS = ["said", "drafts", "doctor", "mistakes"] as const;
const namesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe("the words of the command line", () => {
  test.each(AREAS)("have the same keys and placeholders in every language: %s", (area) => {
    const english: Readonly<Record<string, string>> = WORDS.en[area];
    const chinese: Readonly<Record<string, string>> = WORDS.zh[area];
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      expect({ key, names: namesIn(chinese[key] ?? "") }).toEqual({ key, names: namesIn(text) });
    }
  });

  test.each(AREAS)("are Chinese in Chinese, with its punctuation: %s", (area) => {
    const wrong = Object.entries(WORDS.zh[area]).filter(
      ([, text]) => text === "" || /[\u4e00-\u9fff]\s*[,.!?;:](?:\s|$)/.test(text),
    );
    expect(wrong).toEqual([]);
  });

  test("tell of the same commands, options and variables in every language", () => {
    const known = (text: string) =>
      [...text.matchAll(/^ {2}faregate(?: [a-z]+)+|--[a-z-]+|[A-Z]+_[A-Z_]+/gm)]
        .map(([word]) => word.trim())
        .filter((word, at, all) => all.indexOf(word) === at)
        .sort();
    const [english, chinese] = [WORDS.en, WORDS.zh].map(({ help }) => known(wholeHelp(help)));
    expect(english).toContain("faregate draft push");
    expect(chinese).toEqual(english as string[]);
  });

  test("never read a value as a placeholder", () => {
    expect(fill("{a} {b}", { a: "{b}", b: "$&" })).toBe("{b} $&");
  });
});

describe("the language of a terminal", () => {
  test.each([
    [{}, "en"],
    [{ LANG: "zh_CN.UTF-8" }, "zh"],
    [{ LANG: "zh" }, "zh"],
    [{ LANG: "zha_XX" }, "en"],
    [{ LANG: "de_DE.UTF-8" }, "en"],
    [{ LANG: "zh_CN.UTF-8", LC_MESSAGES: "en_US.UTF-8" }, "en"],
    [{ LANG: "en_US.UTF-8", LC_MESSAGES: "zh_TW" }, "zh"],
    [{ LANG: "zh_CN", LC_MESSAGES: "zh_CN", LC_ALL: "C" }, "en"],
    [{ LANG: "zh_CN", LC_ALL: "" }, "zh"],
    [{ LC_ALL: "en_US.UTF-8", FAREGATE_LANG: "zh" }, "zh"],
    [{ LC_ALL: "zh_CN.UTF-8", FAREGATE_LANG: "en" }, "en"],
  ] as const)("%p is %s", (env, language) => {
    expect(readLanguage(env)).toBe(language);
  });

  test("is one that there is", () => {
    expect(() => readLanguage({ FAREGATE_LANG: "fr" })).toThrow("it must be en or zh");
  });
});
