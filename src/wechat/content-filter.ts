import { serialize } from "parse5";
import {
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isText,
  parseHtml,
} from "./html-tree.ts";
import { splitStyle } from "./style-text.ts";

interface FilterOptions {
  /** Whether an image came from an upload to the platform; others are not shown. */
  isOwnImage(url: string): boolean;
}

/** Gone with everything inside. Those that hold raw text would come out unescaped. */
const REMOVED = new Set(
  (
    "script style link meta base title object embed applet frame frameset noframes noscript noembed " +
    "template plaintext xmp video audio source track input textarea select button option datalist " +
    "portal dialog math"
  ).split(" "),
);
/** Gone, while what is inside stays. */
const UNWRAPPED = new Set(["form", "fieldset", "label", "html", "head", "body"]);
const URL_ATTRIBUTES = new Set(
  "href xlink:href src data-src action formaction data poster background cite".split(" "),
);
/** Attributes that could bring in another document or another image. */
const CLOSED_ATTRIBUTES = new Set(["srcdoc", "srcset", "formaction", "ping", "http-equiv"]);
/** Show a picture that is somewhere else, in a drawing. */
const DRAWN_IMAGES = new Set(["image", "feImage"]);
const LINK_HOST = "mp.weixin.qq.com";

/** A browser ignores white space and control characters in front of and inside a scheme. */
function runsScript(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers skip.
  const plain = value.replace(/[\u0000-\u0020\u007f-\u00a0]+/g, "").toLowerCase();
  return plain.includes("javascript:") || plain.includes("vbscript:");
}

function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attr) => fullName(attr) === name)?.value;
}

function fullName({ prefix, name }: { prefix?: string; name: string }): string {
  return (prefix ? `${prefix}:${name}` : name).toLowerCase();
}

function isPlatformLink(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, hostname } = new URL(href);
  return /^https?:$/.test(protocol) && hostname === LINK_HOST;
}

/** The platform's own player is the only frame. */
function isVideoFrame(element: HtmlElement): boolean {
  const classes = (attribute(element, "class") ?? "").split(/\s+/);
  return classes.includes("video_iframe") && attribute(element, "data-mpvid") !== undefined;
}

/** Nobody names more pictures in one declaration; each is looked at to its end. */
const STYLE_URLS_MAX = 50;

function isQuote(char: string): boolean {
  return char === '"' || char === "'";
}

function unquoted(text: string): string {
  const start = isQuote(text.charAt(0)) ? 1 : 0;
  const end = text.length > start && isQuote(text.charAt(text.length - 1)) ? 1 : 0;
  return text.slice(start, text.length - end);
}

/**
 * The addresses in a declaration; undefined for more than a declaration has. One that is not closed is
 * taken to the end.
 */
function urlsOf(declaration: string): readonly string[] | undefined {
  const urls: string[] = [];
  const lower = declaration.toLowerCase();
  for (let at = lower.indexOf("url("); at !== -1; at = lower.indexOf("url(", at + 4)) {
    if (urls.length === STYLE_URLS_MAX) return undefined;
    const end = declaration.indexOf(")", at);
    urls.push(unquoted(declaration.slice(at + 4, end === -1 ? undefined : end).trim()));
    if (end === -1) break;
  }
  return urls;
}

/** Declarations that survive: no variables, no script, no images from elsewhere. */
function filterStyle(style: string, { isOwnImage }: FilterOptions): string {
  const declarations = splitStyle(style);
  const kept = declarations.filter((declaration) => {
    // An escape could spell any of these words otherwise.
    if (/\\|^\s*--|expression\s*\(|image-set\s*\(|-moz-binding|behavior\s*:/i.test(declaration)) {
      return false;
    }
    if (runsScript(declaration)) return false;
    return urlsOf(declaration)?.every((url) => url.startsWith("#") || isOwnImage(url)) ?? false;
  });
  return kept.length === declarations.length ? style : kept.join(";").trim();
}

function keepsAttribute(element: HtmlElement, name: string, value: string): boolean {
  if (name.startsWith("on") || CLOSED_ATTRIBUTES.has(name)) return false;
  if (element.tagName === "code" && name === "style") return false;
  if (name !== "style" && !URL_ATTRIBUTES.has(name) && !/^(?:to|from|by|values)$/.test(name)) {
    return true;
  }
  return !runsScript(value);
}

/** Whatever the sender called it, an image's address is stored as `data-src`. */
function filterImage(element: HtmlElement, options: FilterOptions): void {
  const names = ["src", "data-src"];
  const given = names
    .map((name) => attribute(element, name))
    .find((url) => url !== undefined && options.isOwnImage(url));
  const at = element.attrs.findIndex((attr) => names.includes(fullName(attr)));
  const others = element.attrs.filter((attr) => !names.includes(fullName(attr)));
  if (given !== undefined) {
    others.splice(Math.min(at, others.length), 0, { name: "data-src", value: given });
  }
  element.attrs = others;
}

function filterAttributes(element: HtmlElement, options: FilterOptions): void {
  element.attrs = element.attrs.filter((attr) =>
    keepsAttribute(element, fullName(attr), attr.value),
  );
  for (const attr of element.attrs) {
    if (attr.name === "style") attr.value = filterStyle(attr.value, options);
  }
  element.attrs = element.attrs.filter((attr) => attr.name !== "style" || attr.value !== "");
  if (element.tagName === "img") filterImage(element, options);
  element.attrs = element.attrs.filter((attr) => leadsRight(element, attr, options));
}

/** Whether an address leads where this element may lead. */
function leadsRight(
  { tagName }: HtmlElement,
  attr: HtmlElement["attrs"][number],
  { isOwnImage }: FilterOptions,
): boolean {
  const name = fullName(attr);
  if (name === "background") return isOwnImage(attr.value);
  if (tagName === "iframe" && name === "src") return /^https?:/i.test(attr.value);
  if (!/^(?:xlink:)?href$/.test(name)) return true;
  // It may have both, and browsers choose between them.
  if (DRAWN_IMAGES.has(tagName)) return isOwnImage(attr.value);
  // A shape may be used again within the drawing, and only there.
  if (tagName === "use") return attr.value.startsWith("#");
  // A card of a mini-program is kept for what it is, not for where its link leads.
  if (tagName === "a" || tagName === "area") return isPlatformLink(attr.value);
  return true;
}

/** A drawing that moves could lead elsewhere after a moment. */
function movesAddress(element: HtmlElement): boolean {
  const moved = attribute(element, "attributename")?.trim().toLowerCase();
  return moved !== undefined && URL_ATTRIBUTES.has(moved);
}

type Fate = "kept" | "removed" | "unwrapped";

function fateOf(element: HtmlElement): Fate {
  const { tagName } = element;
  if (REMOVED.has(tagName) || movesAddress(element)) return "removed";
  if (tagName === "iframe") return isVideoFrame(element) ? "kept" : "removed";
  if (UNWRAPPED.has(tagName)) return "unwrapped";
  if (tagName !== "a" || attribute(element, "data-miniprogram-appid") !== undefined) return "kept";
  const href = attribute(element, "href") ?? attribute(element, "xlink:href");
  return href === undefined || isPlatformLink(href) ? "kept" : "unwrapped";
}

/** Line breaks in code are lost, with the indent behind them; only `<br>` and `&nbsp;` stay. */
function foldCode(text: string, startsLine: boolean): string {
  const folded = text.replace(/\r?\n[ \t]*/g, "");
  return startsLine ? folded.replace(/^[ \t]+/, "") : folded;
}

function filterChildren(parent: HtmlParent, options: FilterOptions, inCode: boolean): void {
  const kept: HtmlNode[] = [];
  for (const node of parent.childNodes) {
    if (isText(node)) {
      const last = kept.at(-1);
      const startsLine = last === undefined || last.nodeName === "br";
      if (inCode) node.value = foldCode(node.value, startsLine);
      if (node.value !== "") kept.push(node);
    } else if (isElement(node)) {
      const fate = fateOf(node);
      if (fate === "removed") continue;
      const isCode = inCode || node.tagName === "code" || node.tagName === "pre";
      if (node.tagName === "iframe") node.childNodes = [];
      filterChildren(node, options, isCode);
      if (fate === "unwrapped") kept.push(...node.childNodes);
      else {
        filterAttributes(node, options);
        kept.push(node);
      }
    }
  }
  for (const node of kept) node.parentNode = parent;
  parent.childNodes = kept;
}

/**
 * Article HTML as the platform keeps it: without script, styles of its own, links to elsewhere and
 * images that were not uploaded. Nothing is refused; what is not allowed is silently gone. Throws
 * `HtmlTooComplex` for a tree that no article has.
 */
export function filterContent(html: string, options: FilterOptions): string {
  const tree = parseHtml(html);
  filterChildren(tree, options, false);
  return serialize(tree);
}
