// Markdown to HTML that says what things are; how they look is decided later, by the theme.
import { Marked, type TokenizerAndRendererExtension, type Tokens } from "marked";
import { ELEMENTS, REMOVED, UNWRAPPED } from "../allowed.ts";
import { FORMULAS } from "../formulas/math-syntax.ts";
import { interruption } from "../interruption.ts";
import { escapeHtml } from "../tree.ts";
import { BOUNDED_TOKENS, checkTasks } from "./bounded-tokens.ts";
import { withoutPictures, withPictures } from "./inline-pictures.ts";
import { MARKS } from "./mark-syntax.ts";

const NOTE = /^\[\^([^\s\]]{1,100})\](?!:)/;
const NOTE_TEXT =
  /^ {0,3}\[\^([^\s\]]{1,100})\]:[ \t]*([^\n]*(?:\n(?![ \t]*\n)(?: {2,}|\t)[^\n]*)*)(?:\n|$)/;

/** `text[^1]`: where a note is called. */
const noteCall: TokenizerAndRendererExtension = {
  name: "noteCall",
  level: "inline",
  tokenizer(source) {
    const found = NOTE.exec(source);
    return found ? { type: "noteCall", raw: found[0], text: found[1] } : undefined;
  },
  renderer: ({ text }) => `<sup data-note="${escapeHtml(text)}">[^${escapeHtml(text)}]</sup>`,
};

/** `[^1]: text`: what it says, over one or more indented lines. */
const noteText: TokenizerAndRendererExtension = {
  name: "noteText",
  level: "block",
  start(source) {
    return interruption(this, source, /\n(?= {0,3}\[\^)/g, (rest) => NOTE_TEXT.test(rest));
  },
  tokenizer(source) {
    const found = NOTE_TEXT.exec(source);
    if (!found) return undefined;
    const text = (found[2] ?? "").replace(/\n[ \t]+/g, "\n").trim();
    return { type: "noteText", raw: found[0], id: found[1], tokens: this.lexer.inlineTokens(text) };
  },
  renderer(token) {
    const words = this.parser.parseInline(token.tokens ?? []);
    return `<section data-note-text="${escapeHtml(token.id)}">${words}</section>\n`;
  },
};

/**
 * Bold Chinese text that begins or ends with punctuation, such as `**“词”**的`. The rules of
 * CommonMark want a space there, which Chinese does not write.
 */
const chineseStrong: TokenizerAndRendererExtension = {
  name: "chineseStrong",
  level: "inline",
  tokenizer(source) {
    const found = /^\*\*(?![\s*])([^*\n]+)(?<![\s*])\*\*(?!\*)/.exec(source);
    const text = found?.[1];
    if (!found || text === undefined || !/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(text)) {
      return undefined;
    }
    return { type: "strong", raw: found[0], text, tokens: this.lexer.inlineTokens(text) };
  },
};

/** `<T>` in a sentence about generics is no element, and would vanish if it were taken for one. */
function isTag(text: string): boolean {
  const name = /^<\/?([a-z][a-z0-9-]*)/i.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return true;
  return ELEMENTS.has(name) || REMOVED.has(name) || UNWRAPPED.has(name) || name.startsWith("mp");
}

const reader = new Marked({
  gfm: true,
  extensions: [...FORMULAS, ...MARKS, noteCall, noteText, chineseStrong],
  tokenizer: BOUNDED_TOKENS,
  renderer: {
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return isTag(text) ? text : escapeHtml(text);
    },
    checkbox({ checked }: Tokens.Checkbox): string {
      return `<span data-task="${checked ? "done" : "open"}"></span>`;
    },
  },
});

/** Three times what the platform takes as text. The parser needs about a second for so much. */
export const MARKDOWN_CHARS_MAX = 60_000;

/** Marks of quotes and lists at the head of a line, beyond any sense: the parser takes them in turn. */
const DEEP_NESTING =
  /^([ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){30})(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*)+/gm;

/** Throws `ArticleTooComplex` for tables, tasks and repeated pictures beyond any sense. */
export function markdownToHtml(markdown: string): string {
  const { text, ...kept } = withoutPictures(markdown);
  checkTasks(text);
  const html = reader.parse(text.replace(DEEP_NESTING, "$1"), { async: false });
  return withPictures(html, kept);
}
