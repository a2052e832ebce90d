import { stemsOf } from "./words.ts";

const QUOTED = new RegExp(
  '"([^"\\n]{1,200})"|“([^”\\n]{1,200})”|`([^`\\n]{1,200})`|' +
    "(?<![\\p{L}\\p{N}])'([^'\\n]{1,200})'(?!\\p{L})",
  "gu",
);
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{N}'’-]{0,40}";
const NAME = `${NAME_WORD}(?: ${NAME_WORD}){0,5}`;
const NOT_INSIDE = "(?<![\\p{L}\\p{N}_-])";
const NAMES = new RegExp(NOT_INSIDE + NAME, "gu");
const OBJECTS = new RegExp(
  "\\b(?:in|for|of|about|from|on|near|called|named)\\s+(?:the\\s+|a\\s+|an\\s+|my\\s+)?" +
    "(\\p{L}[\\p{L}\\p{N}'-]*)",
  "giu",
);
const LISTED = `(?:"[^"\\n]{1,80}"|${NAME})`;
const JOINT = "(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or|&|vs\\.?)\\s+)";
const LIST = new RegExp(`${NOT_INSIDE}${LISTED}(?:${JOINT}${LISTED})+`, "gu");

export function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTED)].map((match) => match.slice(1).find(Boolean) ?? "");
}

/** Paths, addresses, dates, codes and identifiers: what nobody says unless they mean exactly that. */
function codesIn(text: string): string[] {
  const tokens = text.match(/[^\s"'“”`,;()[\]{}<>]+/g) ?? [];
  return tokens
    .map((token) => token.replace(/(?<![.:!?])[.:!?]+$/, ""))
    .filter((token) => /\w[._/@]\w|^[./~]+\w|\d-\d|[A-Z0-9]-\w|[A-Za-z]\d|[A-Z]{3}/.test(token));
}

/** Runs of capitalised words, without the capital that only starts a sentence. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAMES)]
    .map((match) => {
      const before = text.slice(Math.max(0, match.index - 8), match.index).trimEnd();
      const starts = before === "" || /[.!?:;\n"“(]$/u.test(before);
      return starts ? match[0].split(" ").slice(1).join(" ") : match[0];
    })
    .filter((name) => stemsOf(name).size > 0);
}

/** The first list of names such as `Oslo, Bergen and Narvik`, taken apart. */
export function listedIn(text: string): string[] {
  for (const match of text.matchAll(LIST)) {
    const names = match[0].split(new RegExp(JOINT, "u")).map((name) => name.replace(/^"|"$/g, ""));
    // In `Compare Oslo and Bergen` the capital of the first word belongs to the sentence.
    const [first = "", ...others] = names;
    const verb = text.trimStart().startsWith(match[0]) && first.includes(" ");
    const whole = verb ? [first.slice(first.indexOf(" ") + 1), ...others] : names;
    const distinct = [...new Set(whole)].filter((name) => stemsOf(name).size > 0);
    if (distinct.length > 1) return distinct;
  }
  return [];
}

/** What a text states word for word. */
export function statedIn(text: string): string[] {
  return [...new Set([...quotedIn(text), ...codesIn(text)])];
}

/** Everything in a text that could be meant as a value, the most deliberate first. */
export function mentionsIn(text: string): string[] {
  const objects = [...text.matchAll(OBJECTS)]
    .map((match) => match[1] ?? "")
    .filter((word) => stemsOf(word).size > 0);
  return [...new Set([...statedIn(text), ...listedIn(text), ...namesIn(text), ...objects])];
}

export function numbersIn(text: string): number[] {
  const found = text.match(/(?<![\w.-])-?\d+(?:,\d{3}){0,9}(?:\.\d+)?(?![\w-])/g) ?? [];
  return found.map((digits) => Number(digits.replaceAll(",", "")));
}

const LINK =
  /^["'”’`]?\s{0,3}(?:(?:(?:is|are|was|set|to|as|exactly|should be|must be)(?![\p{L}\p{N}])|[=:])\s{0,3}){0,4}/u;
const LINKED = new RegExp(`^(?:${NAME}|-?[\\p{L}\\p{N}_@/+-]+(?:[.:][\\p{L}\\p{N}_@/+-]+)*)`, "u");
/** A value without a verb before it has to look like one: with a digit, dot or slash. */
const BARE = /^(?=\S{0,200}[\d./_@])[\p{L}\p{N}./~][^\s,;"]*[\p{L}\p{N}]/u;

/** So often a name is looked up in a text that may consist of nothing else. */
const PLACES_MAX = 500;

/** The value a text gives to a name: `colour: teal`, `colour is "teal"`, or a block below it. */
export function namedValueIn(text: string, name: string): string | null {
  if (name.length > 80) return null;
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.length > 8) return null;
  const spelled = `(?<![\\p{L}\\p{N}_])${words.join("[\\s_-]{0,3}")}(?![\\p{L}\\p{N}_])`;
  const matches = text.matchAll(new RegExp(spelled, "giu"));
  for (const match of matches.take(PLACES_MAX)) {
    const rest = text.slice(match.index + match[0].length);
    const link = LINK.exec(rest)?.[0] ?? "";
    const value = rest.slice(link.length);
    if (/:[ \t]*\n/.test(link)) return value;
    if (/^["“'‘`]/u.test(value)) return quotedIn(value.slice(0, 400))[0] ?? null;
    const bare = (/[a-z=:]/.test(link) ? LINKED : BARE).exec(value)?.[0];
    if (bare !== undefined) return bare;
  }
  return null;
}
