// `==words==` that are highlighted, and readings above letters: `{漢|かん}` and `[漢]{かん}`.
import type { TokenizerAndRendererExtension, Tokens } from "marked";
import { escapeHtml } from "../tree.ts";
import { TEXT_REACH } from "./bounded-tokens.ts";

/** Looks no further than this, so that marks without an end cost little. */
const MARK_CHARS_MAX = 500;

/** Where the parser ends a run of plain text by itself. */
const OWN_SIGNS = new Set([..."$\\<![`*~_"].map((sign) => sign.charCodeAt(0)));
const EQUALS = "=".charCodeAt(0);
const BRACE = "{".charCodeAt(0);
const BRACKET = "[".charCodeAt(0);

const WORD = /[A-Za-z0-9_]/;
const SPACE = /\s/;
const SIGN = /[!-/:-@[-`{-~]/;

/** Inside of a word, two equal signs compare: `a==b`. */
function compares(before: string, after: string): boolean {
  return WORD.test(before) && WORD.test(after);
}

/** Beside a space they cling to nothing, and between a word and a sign they compare: `x=='a'`, `x==-1`. */
function clingsTo(inner: string, outer: string): boolean {
  if (inner === "" || SPACE.test(inner) || compares(inner, outer)) return false;
  return !(SIGN.test(inner) && WORD.test(outer));
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - slashes - 1) === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** Where the two equal signs behind the words are. */
function endOfWords(near: string): number {
  let end = near.indexOf("==", 3);
  while (end > 0 && isEscaped(near, end)) end = near.indexOf("==", end + 1);
  return end;
}

/** The letter before a place. It is asked for last: to look at the end of what the parser has joined takes long. */
type Before = () => string;

function markedWords(source: string, letterBefore: Before): string | undefined {
  const near = source.slice(0, MARK_CHARS_MAX);
  if (!near.startsWith("==") || near[2] === "=") return undefined;
  const end = endOfWords(near);
  if (end < 0 || near[end + 2] === "=") return undefined;
  const words = near.slice(2, end);
  const [first, last] = [words.charAt(0), words.charAt(words.length - 1)];
  if (words.includes("\n\n") || !clingsTo(last, near.charAt(end + 2))) return undefined;
  const before = letterBefore();
  // Two that compare, or the ends of two texts in base64.
  if (before === "=" || compares(before, last)) return undefined;
  return clingsTo(first, before) ? words : undefined;
}

/** Not with another brace around them, which is a template: `{{name|filter}}`. */
const BRACES = /^\{([^\s{}|%][^{}|%\n]{0,49})\|([^{}|\n]{1,200})\}(?!\})/;
const BRACKETS = /^\[([^[\]\n]{1,50})\]\{([^{}\n]{1,200})\}/;
/** Sets and choices such as `{a|b}` are of mathematics and programs. */
const LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** `[words]{.class}`: attributes in the manner of Pandoc. */
const ATTRIBUTES = /^\s*[.#:]|=/;

function readReading(source: string, letterBefore: Before): Tokens.Generic | undefined {
  const sign = source.charCodeAt(0);
  if (sign !== BRACE && sign !== BRACKET) return undefined;
  const braces = BRACES.exec(source);
  const found = braces ?? BRACKETS.exec(source);
  const base = found?.[1]?.trim() ?? "";
  const reading = found?.[2]?.trim() ?? "";
  if (!found || base === "" || reading === "") return undefined;
  if (!LETTERS.test(base)) return undefined;
  if (!braces && ATTRIBUTES.test(reading)) return undefined;
  if (["{", "!"].includes(letterBefore())) return undefined;
  return { type: "reading", raw: found[0], base, reading };
}

function isMark(source: string, at: number): boolean {
  const near = source.slice(at, at + MARK_CHARS_MAX);
  const read = source.charCodeAt(at) === BRACE ? readReading : markedWords;
  return read(near, () => source.charAt(at - 1)) !== undefined;
}

/**
 * Where the first mark of either kind in a run of plain text is. Only what is one counts, since the
 * parser looks through the rest of the text again at each cut; and it takes no longer runs than are
 * looked at. This is asked at each of its cuts, so that letters are looked at and no pattern is begun.
 */
function firstMark(source: string): number | undefined {
  const end = Math.min(source.length, TEXT_REACH);
  for (let at = 0; at < end; at += 1) {
    const code = source.charCodeAt(at);
    // A sign of the parser's own: it stops there by itself.
    if (OWN_SIGNS.has(code)) return undefined;
    if ((code === EQUALS || code === BRACE) && isMark(source, at)) return at;
  }
  return undefined;
}

function lastOf(tokens: readonly Tokens.Generic[]): string {
  return tokens.at(-1)?.raw.at(-1) ?? "";
}

const highlight: TokenizerAndRendererExtension = {
  name: "highlight",
  level: "inline",
  start: firstMark,
  tokenizer(source, tokens) {
    if (source.charCodeAt(0) !== EQUALS) return undefined;
    const text = markedWords(source, () => lastOf(tokens));
    if (text === undefined) return undefined;
    return { type: "highlight", raw: `==${text}==`, tokens: this.lexer.inlineTokens(text) };
  },
  renderer(token) {
    return `<mark>${this.parser.parseInline(token.tokens ?? [])}</mark>`;
  },
};

/** Each letter with its own reading where there are as many, else all with the whole. */
function pairs(base: string, reading: string): readonly (readonly [string, string])[] {
  const letters = [...base];
  const readings = reading.split(/\s+/);
  if (letters.length !== readings.length) return [[base, reading]];
  return letters.map((letter, index) => [letter, readings[index] ?? ""]);
}

const reading: TokenizerAndRendererExtension = {
  name: "reading",
  level: "inline",
  tokenizer: (source, tokens) => readReading(source, () => lastOf(tokens)),
  renderer(token) {
    const parts = pairs(token.base, token.reading).map(
      ([letters, above]) =>
        `${escapeHtml(letters)}<rp>(</rp><rt>${escapeHtml(above)}</rt><rp>)</rp>`,
    );
    return `<ruby>${parts.join("")}</ruby>`;
  },
};

export const MARKS = [highlight, reading];
