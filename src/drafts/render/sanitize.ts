// Reads HTML that anybody may have written into a tree that holds only what an article may hold.
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as names } from "parse5";
import { parseHtml } from "../../wechat/html-tree.ts";
import { parseLightly } from "../../wechat/light-parsing.ts";
import {
  ATTRIBUTES,
  CARD,
  CARD_ATTRIBUTE,
  ELEMENTS,
  MARKS,
  REMOVED,
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  SVG_VALUE,
} from "./allowed.ts";
import { readStyle } from "./dress/css.ts";
import { Notes } from "./markdown/notes.ts";
import { type Element, element, type Node, type Style, writeHtml } from "./tree.ts";

type Parsed = DefaultTreeAdapterTypes.ChildNode;
type ParsedElement = DefaultTreeAdapterTypes.Element;

/** Deeper than any author goes; beyond it only the text stays, and no walk can exhaust the stack. */
const DEPTH_MAX = 60;
const HANDLER = /^on[a-z]/i;
/** How often a tree may read back as another one before it is given up. */
const ROUNDS_MAX = 8;

function parsed(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  return parseLightly(html, () => defaultTreeAdapter);
}

/**
 * The tree reads back as itself: what is written from it has no second meaning for another reader,
 * which is how markup that was harmless when looked at becomes a script later.
 */
export function readHtml(html: string, notes: Notes, depthMax = DEPTH_MAX): readonly Node[] {
  return settled(readNodes(parsed(html), notes, depthMax), depthMax);
}

/** The same of what somebody wrote. Throws `HtmlTooComplex` for more than an article can hold. */
export function readBounded(html: string, notes: Notes, elementsMax: number): readonly Node[] {
  return settled(readNodes(parseHtml(html, elementsMax), notes, DEPTH_MAX), DEPTH_MAX);
}

function settled(read: readonly Node[], depthMax: number): readonly Node[] {
  let nodes = read;
  let written = writeHtml(nodes);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const again = readNodes(parsed(written), new Notes(), depthMax);
    const rewritten = writeHtml(again);
    if (rewritten === written) return again;
    nodes = again;
    written = rewritten;
  }
  return [flatText(nodes)];
}

/** HTML without anything that runs, loads or hides; it is the same when it is sanitised again. */
export function sanitizeArticle(html: string): string {
  return writeHtml(readHtml(html, new Notes()));
}

function flatText(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : flatText(node.children))).join(" ");
}

function readNodes(
  { childNodes }: DefaultTreeAdapterTypes.DocumentFragment,
  notes: Notes,
  depthMax: number,
): readonly Node[] {
  return joined(childNodes.flatMap((node) => read(node, depthMax, notes)));
}

function read(node: Parsed, levels: number, notes: Notes): readonly Node[] {
  if ("value" in node) return [cleanText(node.value)];
  if (!("tagName" in node)) return [];
  if (levels === 0) return [deepText(node)];
  if (node.namespaceURI === names.NS.SVG) return readDrawing(node, levels, notes);
  const name = node.tagName;
  if (node.namespaceURI !== names.NS.HTML || REMOVED.has(name)) {
    notes.add(removalCode(name), `<${name}>`);
    return [];
  }
  const children = () => joined(node.childNodes.flatMap((child) => read(child, levels - 1, notes)));
  const kept = ELEMENTS.get(name);
  if (kept === undefined) return children();
  const style = styleOf(node, kept.style, notes);
  const attributes = attributesOf(node, kept.name, notes);
  if (kept.name === "img" && attributes.src === undefined) return [];
  const bare = Object.keys(style).length + Object.keys(attributes).length === 0;
  // An element that says nothing is only weight, and a link that leads nowhere only looks like one.
  if ((kept.name === "span" || kept.name === "a") && bare) return children();
  return [element(kept.name, style, children(), attributes)];
}

function removalCode(name: string) {
  if (name === "script") return "script_removed";
  return name === "style" || name === "link" ? "style_sheet_removed" : "element_removed";
}

/** Of drawings the shapes and words; what is foreign to them goes, since it may hold HTML again. */
function readDrawing(node: ParsedElement, levels: number, notes: Notes): readonly Node[] {
  if (!SVG_ELEMENTS.has(node.tagName)) {
    notes.add(removalCode(node.tagName), `<${node.tagName}>`);
    return [];
  }
  const attributes: Record<string, string> = {};
  for (const { name, value } of node.attrs) {
    if (SVG_ATTRIBUTES.has(name) && (SVG_VALUE.test(value) || isNamespace(name, value))) {
      attributes[name] = value;
    }
  }
  const inWords = node.tagName === "text" || node.tagName === "tspan";
  const children = node.childNodes
    .flatMap((child) => read(child, levels - 1, notes))
    .filter((child) => inWords || typeof child !== "string");
  return [element(node.tagName, styleOf(node, undefined, notes), joined(children), attributes)];
}

function isNamespace(name: string, value: string): boolean {
  return name === "xmlns" && value === names.NS.SVG;
}

function styleOf(node: ParsedElement, given: Style | undefined, notes: Notes): Style {
  const align = attribute(node, "align")?.toLowerCase();
  const colour = node.tagName === "font" ? attribute(node, "color") : undefined;
  const text = attribute(node, "style") ?? "";
  const own = readStyle(text, (property) => notes.add("style_removed", property));
  return {
    ...given,
    ...(align && /^(?:left|right|center|justify)$/.test(align) ? { "text-align": align } : {}),
    ...(colour === undefined ? {} : readStyle(`color:${colour}`)),
    ...own,
  };
}

function attributesOf(node: ParsedElement, name: string, notes: Notes): Record<string, string> {
  const found: Record<string, string> = {};
  // Of the attributes that go, those that did something: classes and ids have no effect anyway.
  for (const { name: key } of node.attrs)
    if (HANDLER.test(key)) notes.add("attribute_removed", key);
  for (const key of ATTRIBUTES[name] ?? []) {
    const value = attributeValue(node, name, key, notes);
    if (value !== undefined) found[key] = value;
  }
  for (const [key, shape] of Object.entries(MARKS)) {
    const value = attribute(node, key);
    if (value !== undefined && shape.test(value)) found[key] = value;
  }
  const language = name === "pre" || name === "code" ? languageOf(node) : undefined;
  if (language !== undefined) found["data-lang"] = language;
  if (name !== CARD) return found;
  for (const { name: key, value } of node.attrs) if (CARD_ATTRIBUTE.test(key)) found[key] = value;
  return found;
}

function attributeValue(
  node: ParsedElement,
  name: string,
  key: string,
  notes: Notes,
): string | undefined {
  // A draft that was read back from the box has its pictures' addresses under another name.
  const given = attribute(node, key) ?? (key === "src" ? attribute(node, "data-src") : undefined);
  if (given === undefined) return undefined;
  if (key === "alt" || key === "title") return cleanText(given);
  if (key !== "href" && key !== "src") return /^\d{1,5}(?:%|px)?$/.test(given) ? given : undefined;
  const address = name === "a" ? linkAddress(given) : pictureAddress(given);
  if (address === undefined) notes.add("unsafe_address_removed", schemeOf(cleanText(given).trim()));
  return address;
}

/** Highlighters name the language of a block of code in its class. */
function languageOf(node: ParsedElement): string | undefined {
  const found = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,40})(?:\s|$)/.exec(
    attribute(node, "class") ?? "",
  );
  return found?.[1]?.toLowerCase();
}

function attribute(node: ParsedElement, name: string): string | undefined {
  return node.attrs.find((attr) => attr.name === name)?.value;
}

const NOWHERE = "https://nowhere.invalid";

/** Browsers skip control characters in addresses, so the scheme is read as they would read it. */
function schemeOf(address: string): string | undefined {
  return URL.canParse(address, NOWHERE) ? new URL(address, NOWHERE).protocol : undefined;
}

function linkAddress(given: string): string | undefined {
  const address = cleanText(given).trim();
  const scheme = schemeOf(address) ?? "";
  return ["http:", "https:", "mailto:", "tel:"].includes(scheme) ? address : undefined;
}

function pictureAddress(given: string): string | undefined {
  const address = cleanText(given)
    .replace(/[\t\n]/g, "")
    .trim();
  const scheme = schemeOf(address) ?? "";
  if (address === "") return undefined;
  if (scheme === "data:") return /^data:image\/[\w.+-]+[;,]/i.test(address) ? address : undefined;
  if (scheme !== "http:" && scheme !== "https:") return undefined;
  return address.startsWith("//") ? `https:${address}` : address;
}

function cleanText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be removed.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g, "");
}

/** The words of a tree of any depth. */
function deepText(top: ParsedElement): string {
  const words: string[] = [];
  const waiting: Parsed[] = [top];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("value" in node) words.push(cleanText(node.value));
    else if ("tagName" in node && !REMOVED.has(node.tagName)) {
      waiting.push(...node.childNodes.toReversed());
    }
  }
  return words.join("");
}

/** Neighbouring texts made one, as they would be read back. */
function joined(nodes: readonly Node[]): readonly Node[] {
  const result: (Element | string)[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (typeof node === "string" && typeof last === "string")
      result[result.length - 1] = last + node;
    else if (node !== "") result.push(node);
  }
  return result;
}
