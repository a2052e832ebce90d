import { type HtmlElement, type HtmlParent, isElement, parseHtml } from "./html-tree.ts";

/** White space of every width, control characters, and those that take no room at all. */
const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** Show something by themselves, whatever is inside. */
const DRAWN = new Set(["svg", "iframe", "hr"]);
/** The platform's own elements, such as cards of products and of accounts, music and voices. */
const OWN_ELEMENT = /^(?:mp|qqmusic)/;

/** Whether nobody can see a text. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

function has(element: HtmlElement, name: string, test: (value: string) => boolean): boolean {
  return element.attrs.some((attr) => attr.name === name && test(attr.value));
}

function isDrawn(element: HtmlElement): boolean {
  const { tagName } = element;
  if (DRAWN.has(tagName) || OWN_ELEMENT.test(tagName)) return true;
  const isNamed = (value: string) => value !== "";
  if (tagName === "img") return has(element, "data-src", isNamed) || has(element, "src", isNamed);
  return (
    has(element, "style", (style) => /url\(/i.test(style)) || has(element, "background", isNamed)
  );
}

/** Whether any element passes; the first one that does ends the walk. */
function someElement(parent: HtmlParent, test: (element: HtmlElement) => boolean): boolean {
  return parent.childNodes.some(
    (node) => isElement(node) && (test(node) || someElement(node, test)),
  );
}

/** Whether HTML shows a picture or anything else that is no text. */
export function showsPicture(html: string): boolean {
  return someElement(parseHtml(html), isDrawn);
}

const CARD = "mp-common-product";
const CARD_KEY = "data-product-key";

/** The keys of the product cards in HTML; an empty one where a card has none. */
export function productKeysIn(html: string): readonly string[] {
  if (!html.toLowerCase().includes("product")) return [];
  const keys: string[] = [];
  someElement(parseHtml(html), ({ tagName, attrs }) => {
    const key = attrs.find(({ name }) => name === CARD_KEY)?.value;
    if (tagName === CARD || key !== undefined) keys.push(key ?? "");
    return false;
  });
  return keys;
}
