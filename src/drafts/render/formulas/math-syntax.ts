// Formulas in markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, told apart from prices.
import type { TokenizerAndRendererExtension, Tokens } from "marked";
import { interruption } from "../interruption.ts";
import { escapeHtml } from "../tree.ts";

const FORMULA_LENGTH_MAX = 4_000;

const BLOCK_DOLLARS = /^ {0,3}\$\$([\s\S]+?)\$\$[ \t]*(?:\n|$)/;
const BLOCK_BRACKETS = /^ {0,3}\\\[([\s\S]+?)\\\][ \t]*(?:\n|$)/;
const INLINE_DISPLAY = /^\$\$((?:\\[\s\S]|[^$\\])+?)\$\$/;
const INLINE_BRACKETS = /^\\\(([^\n]+?)\\\)/;
/**
 * Neither dollar has a space on its inner side, and no digit or letter follows the second: the first
 * of "$5 and $6" is closed by nothing.
 */
const INLINE_DOLLARS = /^\$(?!\s)((?:\\[^\n]|[^$\\\n])+?)(?<![\s\\])\$(?![\w$])/;

/** Words of an amount rather than of a formula: "5 to 6". */
const AMOUNT = /^[\d.,]+(?![\w.,]*$)(?!.*[\\^_=+{}<>])/;

function token(name: string, raw: string, tex: string | undefined): Tokens.Generic | undefined {
  const text = tex?.trim() ?? "";
  if (text === "" || raw.length > FORMULA_LENGTH_MAX) return undefined;
  return { type: name, raw, text };
}

/** What is not a formula is shown as it was written, wherever the formulas are made. */
function formulaSpan(display: "inline" | "display", text: string): string {
  return `<span data-math="${display}">${escapeHtml(text)}</span>`;
}

/** Looks no further than a formula may reach, so that unpaired dollars cost little. */
function readBlock(source: string): Tokens.Generic | undefined {
  const near = source.slice(0, FORMULA_LENGTH_MAX);
  const found = BLOCK_DOLLARS.exec(near) ?? BLOCK_BRACKETS.exec(near);
  return found ? token("blockFormula", found[0], found[1]) : undefined;
}

function readInline(source: string): Tokens.Generic | undefined {
  const near = source.slice(0, FORMULA_LENGTH_MAX);
  const found = INLINE_BRACKETS.exec(near) ?? INLINE_DOLLARS.exec(near);
  if (!found || AMOUNT.test(found[1] ?? "")) return undefined;
  return token("inlineFormula", found[0], found[1]);
}

/**
 * The dollar that ends a run of plain text. Where another mark comes first, the parser stops there by
 * itself, and looking further at each mark would take the square of the text's length.
 */
function nextDollar(source: string): number | undefined {
  const found = /[$\\<![`*~_]/.exec(source);
  return found?.[0] === "$" ? found.index : undefined;
}

const blockFormula: TokenizerAndRendererExtension = {
  name: "blockFormula",
  level: "block",
  start(source) {
    return interruption(this, source, /\n(?= {0,3}(?:\$\$|\\\[))/g, readBlock);
  },
  tokenizer: readBlock,
  renderer: ({ text }) => `<p>${formulaSpan("display", text)}</p>\n`,
};

const inlineFormula: TokenizerAndRendererExtension = {
  name: "inlineFormula",
  level: "inline",
  start: nextDollar,
  tokenizer: readInline,
  renderer: ({ text }) => formulaSpan("inline", text),
};

const displayFormula: TokenizerAndRendererExtension = {
  name: "displayFormula",
  level: "inline",
  tokenizer(source) {
    const found = INLINE_DISPLAY.exec(source.slice(0, FORMULA_LENGTH_MAX));
    return found ? token("displayFormula", found[0], found[1]) : undefined;
  },
  renderer: ({ text }) => formulaSpan("display", text),
};

export const FORMULAS = [blockFormula, inlineFormula, displayFormula];
