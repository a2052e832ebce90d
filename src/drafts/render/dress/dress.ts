// Puts a theme on an article: every element gets its style, ornaments become elements, and what the
// platform would lose is written so that it stays.
import { alertIn, alertStyle, alertTitle } from "../markdown/alerts.ts";
import type { HeadingLook, Ornament, Part } from "../theme.ts";
import {
  type Element,
  element,
  hasStyle,
  isBlank,
  isBlock,
  isOne,
  NO_STYLE,
  type Node,
  runsOf,
  type Style,
  textOf,
} from "../tree.ts";
import { dressCode, keepLines } from "./dress-code.ts";
import { dressFigure, onlyImages } from "./dress-image.ts";
import { dressInline, linkAround } from "./dress-inline.ts";
import { dressList } from "./dress-list.ts";
import { dressTable } from "./dress-table.ts";
import { type Dressing, type OuterDressing, part, withoutLastMargin } from "./dressing.ts";
import { edgesOf } from "./edges.ts";

/** Browsers and the platform disagree about how large a heading is before it has a style. */
const HEADING_RESET: Style = { "font-size": "16px", "font-weight": "normal" };

/** Dresses the contents of one article, without the box around it. */
export class Dresser {
  readonly #dressing: OuterDressing;
  #headings = 0;
  #depth = 0;

  constructor(dressing: Dressing) {
    const inside: OuterDressing["inside"] = (nodes, paragraph) => this.blocks(nodes, paragraph);
    this.#dressing = { ...dressing, inside };
  }

  /** Blocks as they are, and what stands between them as paragraphs. */
  blocks(nodes: readonly Node[], paragraph: Part): readonly Node[] {
    return runsOf(nodes, holdsBlocks).flatMap((run) => {
      if (Array.isArray(run)) return this.#paragraph(run, paragraph, NO_STYLE);
      return isBlock(run) ? this.#block(run, paragraph) : this.#around(run, paragraph);
    });
  }

  /** Of an emphasis that was opened around blocks only the blocks stay. */
  #around(node: Element, paragraph: Part): readonly Node[] {
    const children = this.blocks(node.children, paragraph);
    return node.name === "a" ? linkAround(node, children, this.#dressing) : children;
  }

  #block(block: Element, paragraph: Part): readonly Node[] {
    const dressing = this.#dressing;
    if (block.name === "p") return this.#paragraph(block.children, paragraph, block.style);
    if (/^h\d$/.test(block.name)) return [this.#heading(block)];
    if (keepsItsLook(block)) return [keep(block, dressing)];
    switch (block.name) {
      case "ul":
      case "ol":
        return [dressList(block, dressing)];
      case "pre":
        return [dressCode(block, dressing)];
      case "table":
        return [dressTable(block, dressing)];
      case "blockquote":
        return [this.#quote(block)];
      case "hr":
        return [rule(dressing)];
      case "figure":
        return this.#figure(block, paragraph);
      case "mp-common-profile":
        return [element("section", NO_STYLE, [block])];
      default:
        return this.#section(block, paragraph);
    }
  }

  #section(section: Element, paragraph: Part): readonly Node[] {
    const children = this.blocks(section.children, paragraph);
    return hasStyle(section) ? [element("section", section.style, children)] : children;
  }

  #paragraph(nodes: readonly Node[], look: Part, own: Style): readonly Node[] {
    const dressing = this.#dressing;
    const images = onlyImages(nodes);
    if (images) return images.map((image) => dressFigure(image, dressing));
    // Display formulas stand on lines of their own, and divide the paragraph that they stand in.
    return runsOf(nodes, isDisplayed).flatMap((run) => {
      const isText = Array.isArray(run);
      const dressed = dressInline(isText ? run : [run], dressing);
      const children = trimmed(dressed).filter((node) => node !== "");
      if (children.length === 0) return [];
      if (!isText) return [part(dressing, "formula", "section", children)];
      return [part(dressing, look, "p", children, { ...edgesOf(children, dressing), ...own })];
    });
  }

  #heading(heading: Element): Element {
    const { theme, numbered } = this.#dressing;
    const looks: Readonly<Record<string, HeadingLook>> = theme.headings;
    const look = looks[heading.name] ?? theme.headings.h4;
    const text = element("span", look.text, trimmed(dressInline(heading.children, this.#dressing)));
    const counts = look.before?.text.includes("00") ?? false;
    if (counts) this.#headings += 1;
    const number = String(this.#headings).padStart(2, "0");
    const before = !counts ? look.before : numbered ? numberedAs(look.before, number) : undefined;
    const box = { ...HEADING_RESET, ...look.box, ...heading.style };
    return element(heading.name, box, [...ornament(before), text, ...ornament(look.after)]);
  }

  #quote(quote: Element): Element {
    const dressing = this.#dressing;
    const { quoteMark } = dressing.theme;
    const found = alertIn(quote.children);
    this.#depth += 1;
    const children = withoutLastMargin(this.blocks(found?.rest ?? quote.children, "quoteText"));
    this.#depth -= 1;
    if (found) {
      const title = alertTitle(found.alert, dressing);
      return element("blockquote", alertStyle(found.alert, dressing), [title, ...children]);
    }
    if (this.#depth > 0) return part(dressing, "quoteInner", "blockquote", children);
    return part(dressing, "quote", "blockquote", [...ornament(quoteMark, "section"), ...children]);
  }

  /** A caption that stands below a picture is the picture's, whatever its own title says. */
  #figure(figure: Element, paragraph: Part): readonly Node[] {
    const isCaption = (node: Node) => isOne(node, "figcaption");
    const words = textOf(figure.children.filter(isCaption)).trim();
    const rest = figure.children.filter((node) => !isCaption(node));
    const images = onlyImages(rest);
    if (!images) return this.blocks(figure.children, paragraph);
    return images.map((image, index) => {
      const title = index === images.length - 1 && words !== "" ? { title: words } : {};
      const named = { ...image, attributes: { ...image.attributes, ...title } };
      return dressFigure(named, this.#dressing);
    });
  }
}

/** A box that brought more than its alignment was designed by somebody, with all that is in it. */
function keepsItsLook(block: Element): boolean {
  return Object.keys(block.style).some((property) => property !== "text-align");
}

/** As it is, but for what the platform would lose. */
export function keep(block: Element, dressing: Dressing): Element {
  const lines = block.name === "pre" ? keepLines(block.children) : block.children;
  const isFrame = /^(?:table|thead|tbody|tfoot|tr|ul|ol)$/.test(block.name);
  return {
    ...block,
    children: lines.flatMap((node) => {
      // Between rows and items a space says nothing, and does not survive.
      if (isFrame && isBlank(node)) return [];
      if (typeof node === "string" || !holdsBlocks(node))
        return dressInline([node], dressing, false);
      const kept = keep(node, dressing);
      return node.name === "a" ? linkAround(node, kept.children, dressing) : [kept];
    }),
  };
}

/** A block, or a link or an emphasis that was opened around blocks. */
function holdsBlocks(node: Element): boolean {
  return isBlock(node) || (node.name !== "svg" && node.children.some(isBlockHolder));
}

function isBlockHolder(node: Node): boolean {
  return typeof node !== "string" && holdsBlocks(node);
}

function isDisplayed({ attributes }: Element): boolean {
  return attributes["data-math"] === "display";
}

function trimmed(nodes: readonly Node[]): readonly Node[] {
  return nodes.map((node, index) => {
    if (typeof node !== "string") return node;
    const start = index === 0 ? node.replace(/^[ \t\n]+/, "") : node;
    return index === nodes.length - 1 ? withoutEnd(start) : start;
  });
}

/** Without the spaces at its end. A pattern would look at each run of spaces from each of its places. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\n".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function ornament(look: Ornament | undefined, tag = "span"): readonly Node[] {
  return look ? [element(tag, look.style, [look.text])] : [];
}

function numberedAs(look: Ornament | undefined, number: string): Ornament | undefined {
  return look && { ...look, text: look.text.replace("00", number) };
}

function rule(dressing: Dressing): Element {
  const { ruleMark, parts } = dressing.theme;
  if (ruleMark) return part(dressing, "ruleBox", "section", ornament(ruleMark));
  return element("hr", { border: "0", ...parts.ruleBox }, []);
}
