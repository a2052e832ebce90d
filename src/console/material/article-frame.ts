import { serialize } from "parse5";
import {
  type HtmlElement,
  type HtmlParent,
  HtmlTooComplex,
  isElement,
  parseHtml,
} from "../../wechat/html-tree.ts";

export interface FramedArticle {
  readonly title: string;
  readonly author: string;
  /** Article HTML of anybody, as it was sent or as it is kept. */
  readonly content: string;
  /** Whether the content is text, which only some articles of pictures have. */
  readonly isPlain: boolean;
  /** Pictures before the text: paths on this server. */
  readonly pictures: readonly string[];
}

/**
 * A document in which nothing runs and which loads nothing but pictures of this server, in an origin
 * of its own, that only our pages may show in a frame.
 */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; " +
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  "x-frame-options": "SAMEORIGIN",
};

/** As a phone shows an article, whatever the theme of the page around it. */
const CSS = [
  ":root{color-scheme:light}",
  "body{margin:0;padding:20px 16px 32px;background:#fff;color:#222;overflow-wrap:break-word;",
  "font:17px/1.6 system-ui,-apple-system,'PingFang SC','Noto Sans SC','Noto Sans Hans',sans-serif}",
  "h1.article-title{font-size:22px;line-height:1.4;margin:0 0 12px}",
  ".article-author{color:#6b6b6b;font-size:15px;margin:0 0 20px}",
  "img,svg,video{max-width:100%;height:auto}",
  "img:not([src]){display:block;width:100%;min-height:96px;background:#ececec}",
  ".article-picture{display:block;width:100%;margin:0 0 12px;border-radius:4px}",
  "pre,table{max-width:100%;overflow-x:auto}",
].join("");

/** Uploads to the platform, on whichever name of this machine they were made. */
const OWN_PICTURE = /^https?:\/\/[^/]+(?<path>\/platform\/mmbiz_(?:jpg|jpeg|png|gif)\/[\w-]+\/.*)$/;
const STYLE_PICTURE = /https?:\/\/[^/\s"'()]+(?=\/platform\/mmbiz_)/g;

function ownPath(url: string | undefined): string | undefined {
  return OWN_PICTURE.exec(url ?? "")?.groups?.path;
}

/** Pictures get the address that they have here, and those from elsewhere none. */
function showPictures(element: HtmlElement): void {
  const isPicture = element.tagName === "img" || element.tagName === "image";
  const names = element.tagName === "img" ? ["data-src", "src"] : ["href"];
  if (isPicture) {
    const addresses = element.attrs.filter(({ name }) => names.includes(name));
    const path = addresses.map(({ value }) => ownPath(value)).find((found) => found !== undefined);
    const rest = element.attrs.filter(({ name }) => !names.includes(name) && name !== "srcset");
    const shown = { name: element.tagName === "img" ? "src" : "href", value: path ?? "" };
    element.attrs = path === undefined ? rest : [...rest, shown];
  }
  for (const attr of element.attrs) {
    if (attr.name === "style") attr.value = attr.value.replace(STYLE_PICTURE, "");
  }
}

function visit(parent: HtmlParent): void {
  for (const node of parent.childNodes) {
    if (!isElement(node)) continue;
    showPictures(node);
    visit(node);
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function plainBody(text: string): string {
  return `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`;
}

function bodyOf({ content, isPlain }: FramedArticle): string {
  if (isPlain) return plainBody(content);
  try {
    const tree = parseHtml(content);
    visit(tree);
    return serialize(tree);
  } catch (thrown) {
    if (!(thrown instanceof HtmlTooComplex)) throw thrown;
    return plainBody(content);
  }
}

/** An article as a phone shows it, for a frame of the console. */
export function frameHtml(article: FramedArticle): string {
  const title = escaped(article.title);
  const author = article.author && `<p class="article-author">${escaped(article.author)}</p>`;
  const pictures = article.pictures.map(
    (path) => `<img class="article-picture" alt="" src="${escaped(path)}">`,
  );
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${CSS}</style></head>
<body><main><h1 class="article-title">${title}</h1>${author}${pictures.join("")}
${bodyOf(article)}</main></body></html>`;
}

export function frameResponse(html: string): Response {
  return new Response(html, { headers: HEADERS });
}
