// Changes of a draft's articles, as plain functions: what a click makes of them.

import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Problem } from "../../../../src/drafts/contract/preview.ts";
import { CUTS } from "../pictures/crop.ts";

export const ARTICLES_MAX = 8;
export const IMAGES_MAX = 20;

export const EMPTY_ARTICLE: ArticleDoc = {
  type: "news",
  title: "",
  source: { format: "markdown", text: "" },
};

/** Undefined takes a member away, since an absent one and an empty one are not the same. */
export type ArticleChange = { readonly [Name in keyof ArticleDoc]?: ArticleDoc[Name] | undefined };

export function changeArticle(article: ArticleDoc, change: ArticleChange): ArticleDoc {
  const entries = Object.entries({ ...article, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as never;
}

export function replaceAt<Item>(items: readonly Item[], at: number, item: Item): readonly Item[] {
  return items.map((one, index) => (index === at ? item : one));
}

export function removeAt<Item>(items: readonly Item[], at: number): readonly Item[] {
  return items.filter((_, index) => index !== at);
}

/** One place towards the front or the end; at an end nothing happens. */
export function moveAt<Item>(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const item = items[at];
  const other = items[at + by];
  if (item === undefined || other === undefined) return items;
  return replaceAt(replaceAt(items, at, other), at + by, item);
}

/** An image message has pictures and plain text; what it cannot have is kept for the way back. */
export function changeType(article: ArticleDoc, type: ArticleDoc["type"]): ArticleDoc {
  return changeArticle(article, {
    type,
    ...(type === "newspic" && article.images === undefined && { images: [] }),
  });
}

const LINES = ["title", "author", "digest", "source_url", "product_key"] as const;
type LineField = (typeof LINES)[number];

function isLine(field: string): field is LineField {
  return LINES.some((line) => line === field);
}

function withText(article: ArticleDoc, text: string): ArticleDoc {
  return changeArticle(article, { source: { ...article.source, text } });
}

function withoutCrop(article: ArticleDoc, field: string): ArticleDoc {
  const name = CUTS.find((cut) => field.endsWith(`.${cut}`));
  const { crops, ...cover } = article.cover ?? { card: true as const };
  if (!name || !crops) return article;
  const { [name]: _dropped, ...rest } = crops;
  return changeArticle(article, { cover: { ...cover, crops: rest } as ArticleDoc["cover"] });
}

/** The first heading of markdown, or of HTML, which only repeats the title. */
function withoutHeading(text: string): string {
  return text.replace(/^\s*# [^\n]*\n*|<h1\b[^>]*>[\s\S]*?<\/h1>/i, "");
}

function inertDocument(html: string): Document {
  // Nothing of it runs or loads.
  return new DOMParser().parseFromString(html, "text/html");
}

function withoutScripts(html: string): string {
  const { body } = inertDocument(html);
  for (const script of body.querySelectorAll("script")) script.remove();
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const runs = /^on/i.test(name) || /^\s*(?:java|vb)script:/i.test(value);
      if (runs) element.removeAttribute(name);
    }
  }
  return body.innerHTML;
}

/** The settings that stand above a markdown text, between two lines of three dashes. */
const SETTINGS = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** What the settings say, in the fields that show it; a cover that is named again keeps its crops. */
function applySettings(article: ArticleDoc, { fix }: Problem): ArticleDoc {
  const { cover, ...members }: Partial<ArticleDoc> = fix?.members ?? {};
  const before = article.cover;
  const isSame = before && cover && "url" in before && "url" in cover && before.url === cover.url;
  const changed = changeArticle(article, { ...members, ...(cover && !isSame && { cover }) });
  return withText(changed, article.source.text.replace(SETTINGS, ""));
}

type Fix = (article: ArticleDoc, problem: Problem) => ArticleDoc;

/** What can be done at once, by the kind of the fix. */
const FIXES: Readonly<Record<string, Fix>> = {
  clear: (article, { field }) =>
    isLine(field) ? changeArticle(article, { [field]: undefined }) : article,
  apply_settings: applySettings,
  close_comment_rule: (article) => changeArticle(article, { fans_only_comment: undefined }),
  centre_crop: (article, { field }) => withoutCrop(article, field),
  remove_heading: (article) => withText(article, withoutHeading(article.source.text)),
  strip_tags: (article) =>
    withText(article, inertDocument(article.source.text).body.textContent ?? ""),
  strip_scripts: (article) => withText(article, withoutScripts(article.source.text)),
};

/** Whether one click does away with it; the rest is done while pushing, or by a person. */
export function canFix({ field, fix }: Problem): boolean {
  if (fix === undefined) return false;
  if (fix.value !== undefined) return isLine(field) || field === "source.text";
  return fix.kind in FIXES;
}

export function fixArticle(article: ArticleDoc, problem: Problem): ArticleDoc {
  const { field, fix } = problem;
  if (fix === undefined) return article;
  if (fix.value !== undefined) {
    if (isLine(field)) return changeArticle(article, { [field]: fix.value });
    return field === "source.text" ? withText(article, fix.value) : article;
  }
  return FIXES[fix.kind]?.(article, problem) ?? article;
}
