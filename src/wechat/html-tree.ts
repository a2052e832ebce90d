import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from "parse5";
import { parseLightly } from "./light-parsing.ts";

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;
type HtmlText = DefaultTreeAdapterTypes.TextNode;
type Fragment = DefaultTreeAdapterTypes.DocumentFragment;

/** A real article has some thousands of elements, a dozen deep. */
const ELEMENTS_MAX = 100_000;
const DEPTH_MAX = 400;

/** HTML that was written to cost its reader time or memory. */
export class HtmlTooComplex extends Error {
  constructor(elementsMax: number) {
    super(`the HTML has over ${elementsMax} elements, or is over ${DEPTH_MAX} deep`);
    this.name = "HtmlTooComplex";
  }
}

/**
 * A builder that counts. The parser repeats open formatting elements in every block and searches
 * all open elements at each tag, so a small text can become a huge tree, or take minutes.
 */
function countingAdapter(elementsMax: number): typeof defaultTreeAdapter {
  const depths = new Map<object, number>();
  let elements = 0;
  const place = (parent: object, node: object) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > DEPTH_MAX) throw new HtmlTooComplex(elementsMax);
    if ("tagName" in node) depths.set(node, depth);
  };
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      if (++elements > elementsMax) throw new HtmlTooComplex(elementsMax);
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs);
    },
    appendChild(parent, node) {
      place(parent, node);
      defaultTreeAdapter.appendChild(parent, node);
    },
    insertBefore(parent, node, reference) {
      place(parent, node);
      defaultTreeAdapter.insertBefore(parent, node, reference);
    },
  };
}

/** The tree of a piece of HTML, as a browser builds it. Throws `HtmlTooComplex`. */
export function parseHtml(html: string, elementsMax = ELEMENTS_MAX): Fragment {
  return parseLightly(html, () => countingAdapter(elementsMax));
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return "tagName" in node;
}

export function isText(node: HtmlNode): node is HtmlText {
  return node.nodeName === "#text";
}
