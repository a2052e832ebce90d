// Rules of the markdown parser that look through all that follows, at each place anew. They are shown
// no more than what they are about can be long, so that a text costs what its length says.
import { type MarkedExtension, Tokenizer } from "marked";
import { ArticleTooComplex } from "../too-complex.ts";

/** Characters of plain text that are looked at in one go; pieces that follow one another are joined. */
export const TEXT_REACH = 2_000;
/** A longer address is shown as text. One of mail has at most 320 characters. */
const ADDRESS_LENGTH_MAX = 4_000;
const MAIL_LENGTH_MAX = 400;
/** What is emphasised is read once more, and what is emphasised in it again. */
const EMPHASIS_LENGTH_MAX = 1_000;
/** Lines of a heading that is underlined. */
const HEADING_LINES_MAX = 50;
/** Cells of one table, those included that its rows leave out. The platform takes fewer elements. */
const TABLE_CELLS_MAX = 20_000;
/** The parser searches all that it has read for each of them. */
const TASKS_MAX = 1_000;

const ADDRESS = /^(?:(?:https?|ftp):\/\/|www\.|(?:mailto|xmpp):)/i;
const CHINESE_PUNCTUATION =
  /[\u3000-\u3003\u3008-\u301f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u2018-\u201d\u2026]/;
const UNDERLINE = /\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/;
const TASK = /\[[ xX]\][ \t]/g;

const SPACE = 0x20;
const ASCII_MAX = 0x7f;
const isSpace = (code: number) => code === SPACE || (code >= 0x09 && code <= 0x0d);
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

/** Whether a text may be divided here without anything in it being read otherwise. */
function mayDivide(before: number, after: number): boolean {
  if (before === SPACE) return !isSpace(after);
  const areWide = before > ASCII_MAX && after > ASCII_MAX;
  return areWide && !isSurrogate(before) && !isSurrogate(after);
}

/** The beginning of a text, up to a place between words; anywhere, where there are none. */
function withinReach(source: string): string {
  if (source.length <= TEXT_REACH) return source;
  for (let end = TEXT_REACH; end > TEXT_REACH / 2; end--) {
    if (mayDivide(source.charCodeAt(end - 1), source.charCodeAt(end))) return source.slice(0, end);
  }
  const isHalved = isSurrogate(source.charCodeAt(TEXT_REACH));
  return source.slice(0, isHalved ? TEXT_REACH - 1 : TEXT_REACH);
}

/** Chinese sentences go on behind an address without a space, and no address holds their commas. */
function beforeChinesePunctuation(text: string): string {
  const end = text.search(CHINESE_PUNCTUATION);
  return end < 0 ? text : text.slice(0, end);
}

function firstLines(source: string, count: number): string {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = source.indexOf("\n", end + 1);
    if (end < 0) return source;
  }
  return source.slice(0, end);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found += 1;
  return found;
}

/** Throws `ArticleTooComplex` for more tasks than anybody sets. */
export function checkTasks(markdown: string): void {
  let tasks = 0;
  for (const _task of markdown.matchAll(TASK)) {
    tasks += 1;
    if (tasks > TASKS_MAX) throw new ArticleTooComplex();
  }
}

const rules = Tokenizer.prototype;

export const BOUNDED_TOKENS: NonNullable<MarkedExtension["tokenizer"]> = {
  inlineText(source) {
    const token = rules.inlineText.call(this, source.slice(0, TEXT_REACH));
    // What ends by itself does so wherever the text behind it is divided.
    if (token && token.raw.length <= TEXT_REACH / 2) return token;
    return rules.inlineText.call(this, withinReach(source));
  },
  url(source) {
    const isAddress = ADDRESS.test(source);
    const lengthMax = isAddress ? ADDRESS_LENGTH_MAX : MAIL_LENGTH_MAX;
    const near = source.slice(0, lengthMax);
    if (isAddress && near.length < source.length && !/[\s<]/.test(near)) return undefined;
    return rules.url.call(this, beforeChinesePunctuation(near));
  },
  emStrong(source, masked, before) {
    const near = source.slice(0, EMPHASIS_LENGTH_MAX);
    const start = masked.length - source.length;
    return rules.emStrong.call(this, near, masked.slice(start, start + near.length), before);
  },
  lheading(source) {
    const near = firstLines(source, HEADING_LINES_MAX + 1);
    return UNDERLINE.test(near) ? rules.lheading.call(this, near) : undefined;
  },
  table(source) {
    const found = this.rules.block.table.exec(source);
    if (!found) return undefined;
    const columns = count(found[2] ?? "", "|") + 1;
    const rows = count(found[3] ?? "", "\n") + 2;
    if (columns * rows > TABLE_CELLS_MAX) throw new ArticleTooComplex();
    return rules.table.call(this, source);
  },
};
