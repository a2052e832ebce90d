// What a push tells of the draft that it has read back: where readers would see something else than was sent.

import type { PlatformArticle } from "../../wechat/article.ts";
import { withoutTags } from "../article/first-heading.ts";
import type { Difference } from "../contract/push.ts";
import { differencesOf, type RemoteArticle } from "./read-back.ts";

const EXCERPT_CHARS = 80;
/** So much of what is the same stands before what differs. */
const EXCERPT_LEAD_CHARS = 20;

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

function excerpt(text: string, from: number): string {
  const start = Math.max(0, from - EXCERPT_LEAD_CHARS);
  const piece = text.slice(start, start + EXCERPT_CHARS);
  const end = start + piece.length < text.length ? "…" : "";
  return `${start > 0 ? "…" : ""}${piece}${end}`;
}

/** Where the two texts part, and not a megabyte of each. */
function inShort(difference: Difference, submitted: string, stored: string): Difference {
  let from = 0;
  while (from < submitted.length && submitted[from] === stored[from]) from += 1;
  return { ...difference, submitted: excerpt(submitted, from), stored: excerpt(stored, from) };
}

/** White space and how characters are written come and go on the platform. */
function wordsOf(html: string): string {
  const text = withoutTags(html).replace(
    /&(?:lt|gt|quot|#39|#x27|amp);/g,
    (all) => ENTITIES[all] ?? "",
  );
  return text.replace(/&nbsp;|[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g, "");
}

function pictureCount(html: string): string {
  return `${html.match(/<img\b/gi)?.length ?? 0} <img>`;
}

/** The platform writes every content in its own way; only lost words and pictures are told of. */
function contentDifference(difference: Difference): readonly Difference[] {
  const { submitted, stored } = difference;
  const [sent, kept] = [wordsOf(submitted), wordsOf(stored)];
  if (sent !== kept) return [inShort(difference, sent, kept)];
  const [sentPictures, keptPictures] = [pictureCount(submitted), pictureCount(stored)];
  if (sentPictures === keptPictures) return [];
  return [{ ...difference, submitted: sentPictures, stored: keptPictures }];
}

export function readDifferently(
  submitted: readonly PlatformArticle[],
  stored: readonly RemoteArticle[],
): readonly Difference[] {
  return differencesOf(submitted, stored).flatMap((difference) =>
    difference.field === "content"
      ? contentDifference(difference)
      : [inShort(difference, difference.submitted, difference.stored)],
  );
}
