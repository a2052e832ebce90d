import { type HtmlParent, isElement, isText, parseHtml } from "./html-tree.ts";

/** Elements whose text nobody sees. */
const UNSEEN = new Set(["script", "style", "template", "title", "noscript"]);

/** Characters as people count them in Chinese text: a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _char of text) count++;
  return count;
}

/** The first characters of a text, none cut in half. */
export function firstCodePoints(text: string, count: number): string {
  // Twice as many units hold them all, whatever they are.
  return [...text.slice(0, count * 2)].slice(0, count).join("");
}

/** Half-width columns: one for ASCII, two for everything else. */
export function widthUnits(text: string): number {
  let units = 0;
  for (const char of text) units += (char.codePointAt(0) ?? 0) < 0x80 ? 1 : 2;
  return units;
}

function collect(parent: HtmlParent, texts: string[]): void {
  for (const node of parent.childNodes) {
    if (isText(node)) texts.push(node.value);
    else if (isElement(node) && !UNSEEN.has(node.tagName)) collect(node, texts);
  }
}

/** What a reader sees of HTML: its text, with the white space that a browser would fold, folded. */
export function visibleText(html: string): string {
  const texts: string[] = [];
  collect(parseHtml(html), texts);
  return texts
    .join("")
    .replace(/[ \t\r\n\f]+/g, " ")
    .replace(/^ | $/g, "");
}
