// What stands in a line of text: emphasis, code, links, notes, formulas.

import { formulaKey, formulaOf, isWide } from "../formulas/formulas.ts";
import { isPlatformLink, linkTarget, readableAddress, showsAddress } from "../link-address.ts";
import type { Part } from "../theme.ts";
import { type Element, element, hasStyle, isBlock, type Node, textOf } from "../tree.ts";
import { dressInlineCode, keepLines } from "./dress-code.ts";
import { plainImage } from "./dress-image.ts";
import { type Dressing, part } from "./dressing.ts";

/** A link around a whole card of text needs not all of it to be found again. */
const LABEL_LENGTH_MAX = 80;

const PARTS: Readonly<Record<string, Part>> = {
  strong: "strong",
  em: "em",
  s: "del",
  u: "underline",
  mark: "mark",
  rt: "reading",
};

/** With `dressed` off only what an article cannot hold is changed, for what brought its own look. */
export function dressInline(
  nodes: readonly Node[],
  dressing: Dressing,
  dressed = true,
): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (typeof node === "string") return [unbroken(node)];
    if (node.attributes["data-math"] !== undefined) return [dressFormula(node, dressing)];
    if (node.attributes["data-note"] !== undefined) return dressNoteCall(node, dressing);
    if (node.attributes["data-task"] !== undefined) return [];
    if (node.name === "svg") return [node];
    if (node.name === "img") return [plainImage(node)];
    if (node.name === "a") return dressLink(node, dressing, dressed);
    if (node.name === "code" && dressed) return [dressInlineCode(node, dressing)];
    const isPlainMark = node.name === "mark" && !hasStyle(node);
    const look = dressed || isPlainMark ? PARTS[node.name] : undefined;
    const style = look ? { ...dressing.theme.parts[look], ...node.style } : node.style;
    const inside = node.name === "code" ? keepLines(node.children) : node.children;
    // Of a highlight the platform is only known to keep its look.
    const name = node.name === "mark" ? "span" : node.name;
    return [{ ...node, name, style, children: dressInline(inside, dressing, dressed) }];
  });
}

const CHINESE = "[\\p{Script=Han}\\u3000-\\u303f\\uff00-\\uffef]";
const CHINESE_BREAK = new RegExp(`(?<=${CHINESE})[^\\S\\n]*\\n\\s*(?=${CHINESE})`, "gu");

/** The end of a line in the source is a space, and nothing at all inside a Chinese sentence. */
function unbroken(text: string): string {
  return text.replace(CHINESE_BREAK, "").replace(/[ \t\n]+/g, " ");
}

/** A display formula is put on a line of its own by those who dress blocks. */
function dressFormula(node: Element, dressing: Dressing): Node {
  const formula = formulaOf(node);
  const drawing = formula && dressing.drawings.get(formulaKey(formula));
  if (drawing) return isWide(drawing) ? scrolling(drawing, dressing) : drawing;
  dressing.notes.add("formula_unreadable");
  return part(dressing, "formulaSource", "span", [textOf(node.children)]);
}

/** Letters reach a little beyond their drawing, and a box that scrolls cuts off what does. */
const OVERHANG_EM = 0.2;

/** Readers' style sheets let nothing be wider than the page, so the least width is said too. */
function scrolling(drawing: Element, dressing: Dressing): Element {
  const { width = "", "vertical-align": place = "0", ...style } = drawing.style;
  const whole = { ...style, width, "min-width": width, "vertical-align": "top" };
  const kept = [{ ...drawing, style: whole }];
  const lower = Number((Number.parseFloat(place) - OVERHANG_EM).toFixed(3));
  return part(dressing, "formulaScroll", "span", kept, {
    padding: `${OVERHANG_EM}em 0`,
    "vertical-align": `${lower}em`,
  });
}

function dressNoteCall(node: Element, dressing: Dressing): readonly Node[] {
  const number = dressing.references.note(node.attributes["data-note"] ?? "");
  return number === undefined ? [textOf(node.children)] : [referenceMark(number, dressing)];
}

function referenceMark(number: number, dressing: Dressing): Element {
  return part(dressing, "reference", "sup", [`[${number}]`]);
}

/** Of links the platform keeps only its own; where the others led is told at the end. */
function dressLink(link: Element, dressing: Dressing, dressed: boolean): readonly Node[] {
  const children = dressInline(link.children, dressing, dressed);
  const { href = "" } = link.attributes;
  const url = linkTarget(href);
  const look = dressed ? { ...dressing.theme.parts.link, ...link.style } : link.style;
  if (url && !isPlatformLink(url) && showsAddress(labelOf(link), href, url)) {
    dressing.notes.add("link_footnoted");
    return [element("span", { ...look, "word-break": "break-all" }, children)];
  }
  return linkAround({ ...link, style: look }, children, dressing);
}

/** A link around what is dressed already, be it words or blocks. */
export function linkAround(
  link: Element,
  children: readonly Node[],
  dressing: Dressing,
): readonly Node[] {
  const url = linkTarget(link.attributes.href ?? "");
  if (url === undefined) return children;
  if (isPlatformLink(url)) return [element("a", link.style, children, { href: url.href })];
  const label = labelOf(link);
  if (label === "") return children;
  dressing.notes.add("link_footnoted");
  const isWords = !children.some(isBlock) && hasStyle(link);
  const words = isWords ? [element("span", link.style, children)] : children;
  const number = dressing.references.link(readableAddress(url), label);
  return [...words, referenceMark(number, dressing)];
}

function labelOf(link: Element): string {
  const label = textOf(link.children).replace(/\s+/g, " ").trim();
  const characters = [...label];
  if (characters.length <= LABEL_LENGTH_MAX) return label;
  return `${characters.slice(0, LABEL_LENGTH_MAX).join("").trim()}…`;
}
