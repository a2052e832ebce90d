import {
  type HtmlElement,
  type HtmlNode,
  HtmlTooComplex,
  isElement,
  isText,
  parseHtml,
} from "../../wechat/html-tree.ts";
import type { Line } from "./line-diff.ts";

/** A short piece stands in one line with the element around it. */
const ONE_LINE_CHARS = 80;
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** Where a line break is what the writer meant. */
const KEEPS_BREAKS = new Set(["pre", "code", "script", "style", "textarea"]);

function startTag({ tagName, attrs }: HtmlElement): string {
  const words = attrs.map(({ prefix, name, value }) => {
    const full = prefix ? `${prefix}:${name}` : name;
    return value === "" ? ` ${full}` : ` ${full}="${value.replaceAll('"', "&quot;")}"`;
  });
  return `<${tagName}${words.join("")}>`;
}

function linesOfText(text: string, keepsBreaks: boolean): string[] {
  const pieces = keepsBreaks ? text.split(/\r?\n/) : [text];
  // What cannot be told from a blank is written out, since the platform treats it otherwise.
  return pieces
    .map((piece) => piece.replace(/[ \t\r\n\f]+/g, " ").trim())
    .filter((piece) => piece !== "")
    .map((piece) => piece.replaceAll("\u00a0", "&nbsp;"));
}

function linesOfElement(element: HtmlElement, depth: number, keepsBreaks: boolean): Line[] {
  const start = startTag(element);
  const { tagName } = element;
  if (VOID.has(tagName)) return [{ depth, text: start }];
  const end = `</${tagName}>`;
  const keeps = keepsBreaks || KEEPS_BREAKS.has(tagName);
  const inner = element.childNodes.flatMap((node) => linesOfNode(node, depth + 1, keeps));
  const [only] = inner;
  const isPlain = element.childNodes.every(isText) && inner.length <= 1;
  if (isPlain && (only?.text.length ?? 0) <= ONE_LINE_CHARS) {
    return [{ depth, text: `${start}${only?.text ?? ""}${end}` }];
  }
  return [{ depth, text: start }, ...inner, { depth, text: end }];
}

function linesOfNode(node: HtmlNode, depth: number, keepsBreaks: boolean): Line[] {
  if (isText(node)) {
    return linesOfText(node.value, keepsBreaks).map((text) => ({ depth, text }));
  }
  if (isElement(node)) return linesOfElement(node, depth, keepsBreaks);
  return "data" in node ? [{ depth, text: `<!--${node.data}-->` }] : [];
}

/** HTML taken apart into one line for each tag and text, however it was written. */
export function htmlLines(html: string): readonly Line[] {
  try {
    return parseHtml(html).childNodes.flatMap((node) => linesOfNode(node, 0, false));
  } catch (thrown) {
    if (!(thrown instanceof HtmlTooComplex)) throw thrown;
    return html.split("\n").map((text) => ({ depth: 0, text }));
  }
}
