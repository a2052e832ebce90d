import { shown } from "../../accounts/shown.ts";
import type { PublicAccount } from "../../platform/account.ts";
import type { BoxedArticle, BoxedDraft } from "../../platform/draftbox/draft.ts";
import type { JsonValue } from "../../platform/protocol/json.ts";
import { articleUrl, type Publication } from "../../platform/publishing/publication.ts";
import { firstCodePoints } from "../../wechat/measure.ts";
import type {
  Article,
  Draft,
  DraftRow,
  FieldPair,
  Publication as Shown,
} from "../contract/material.ts";
import { htmlLines } from "./html-lines.ts";
import { diffLines } from "./line-diff.ts";

/** A picture inside the text would make a line of a megabyte. */
const LINE_CHARS_MAX = 400;
const VALUE_CHARS_MAX = 2_000;
/** Beyond so many nobody reads on, and a browser takes long to draw them. */
const LINES_MAX = 4_000;
/** Where the platform stands on its server. */
export const PLATFORM_BASE = "/platform";

function clipped(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${firstCodePoints(text, charsMax)}… (+${text.length - charsMax})`;
}

/** A value of the wire as its sender wrote it, in one line. */
export function valueText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function fateOf(submitted: string | undefined, stored: string | undefined): FieldPair["fate"] {
  if (submitted === undefined) return "filled";
  if (stored === undefined) return "dropped";
  return submitted === stored ? "same" : "changed";
}

/** Every field but the content, side by side; those that neither side has are left out. */
function fieldsToJson({ submitted, stored }: BoxedArticle): readonly FieldPair[] {
  const kept = new Map<string, JsonValue>(Object.entries(stored));
  const names = new Set([...kept.keys(), ...Object.keys(submitted)]);
  names.delete("content");
  return [...names].flatMap((name) => {
    const sent = Object.hasOwn(submitted, name) ? valueText(submitted[name]) : undefined;
    const held = valueText(kept.get(name));
    if (!sent && !held) return [];
    const show = (text: string | undefined) =>
      text === undefined ? null : clipped(text, VALUE_CHARS_MAX);
    return [{ name, submitted: show(sent), stored: show(held), fate: fateOf(sent, held) }];
  });
}

/** An article as it was sent against what the platform made of it. */
function articleToJson(article: BoxedArticle): Article {
  const { submitted, stored } = article;
  const changes = diffLines(
    htmlLines(valueText(submitted.content) ?? ""),
    htmlLines(stored.content),
  );
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return {
    type: stored.article_type,
    title: stored.title,
    author: stored.author,
    digest: stored.digest,
    fields: fieldsToJson(article),
    lines: changes
      .slice(0, LINES_MAX)
      .map(({ kind, depth, text }) => ({ kind, depth, text: clipped(text, LINE_CHARS_MAX) })),
    lines_left_out: Math.max(0, changes.length - LINES_MAX),
    dropped: count("dropped"),
    added: count("added"),
  };
}

export function draftToJson(draft: BoxedDraft): Draft {
  return {
    object: "platform_draft",
    ...shown(draft, "mediaId", "createdAtMs", "updatedAtMs"),
    articles: draft.articles.map(articleToJson),
  };
}

/** A draft as a list shows it. */
export function draftRowToJson(draft: BoxedDraft, coverPath: string | undefined): DraftRow {
  const first = draft.articles[0]?.stored;
  return {
    ...shown(draft, "mediaId", "createdAtMs", "updatedAtMs"),
    type: first?.article_type ?? "news",
    titles: draft.articles.map(({ stored }) => stored.title),
    digest: first?.digest ?? "",
    cover_url: coverPath === undefined ? null : `${PLATFORM_BASE}${coverPath}`,
  };
}

export function publicationToJson(publication: Publication): Shown {
  const { articleId, appid, mid, articles, deleted, createdAtMs } = publication;
  return {
    article_id: articleId,
    published_at: new Date(createdAtMs).toISOString(),
    articles: articles.flatMap(({ title }, index) =>
      deleted.includes(index + 1)
        ? []
        : [{ title, url: articleUrl(PLATFORM_BASE, appid, mid, index + 1) }],
    ),
  };
}

export function publicAccountToJson(account: PublicAccount) {
  return {
    ...shown(account, "appid", "name", "type", "verified", "frozen", "createdAtMs"),
    comment_right: account.comments,
    product_right: account.product,
    ip_list: account.networks,
  };
}
