import { filterContent } from "../../wechat/content-filter.ts";
import { HtmlTooComplex } from "../../wechat/html-tree.ts";
import { codePoints, firstCodePoints, widthUnits } from "../../wechat/measure.ts";
import type { ImageRef } from "../contract/article.ts";
import type { Counted, Preview as Shown } from "../contract/preview.ts";
import { isOwnImage } from "../own-image.ts";
import { toPlatformArticle } from "../platform-api/platform-article.ts";
import { readableText } from "../preflight/readable-text.ts";
import { asUploaded } from "../push/as-uploaded.ts";
import { shownImages } from "../read-back/read-back.ts";
import type { Imprint, Judged } from "../render-pool/article-renderer.ts";
import type { CompiledArticle } from "./compile.ts";

/** The platform writes a digest of so many characters where there is none. */
const DIGEST_CHARS = 54;
const SHOWN_SOURCE_CHARS = 120;

type PreviewArticle = Shown["articles"][number];

export interface Preview extends Pick<Shown, "sandbox" | "articles" | "problems" | "request"> {
  readonly publicAccountId: string;
}

function counted(text: string): Counted {
  return { characters: codePoints(text), units: widthUnits(text) };
}

/** As the platform will keep it, pictures taken as uploaded. */
function filtered({ doc, content, bodyImages }: CompiledArticle): string {
  if (doc.type === "newspic") return content;
  const own = new Set(bodyImages);
  try {
    return shownImages(filterContent(content, { isOwnImage: (url) => own.has(url) }));
  } catch (thrown) {
    // The preflight says so; there is nothing to show.
    if (thrown instanceof HtmlTooComplex) return "";
    throw thrown;
  }
}

function sourceOf(ref: ImageRef): string {
  if ("card" in ref) return "a title card";
  if ("media_id" in ref) return ref.media_id;
  return ("url" in ref ? ref.url : ref.data).slice(0, SHOWN_SOURCE_CHARS);
}

function uploadsOf(
  { doc, bodyImages }: CompiledArticle,
  isOwn: (url: string) => boolean,
): PreviewArticle["uploads"] {
  const body = bodyImages
    .filter((src) => !isOwn(src))
    .map((src) => ({ field: "source.text", from: src.slice(0, SHOWN_SOURCE_CHARS) }));
  const images = (doc.images ?? []).map((ref, at) => ({ ref, field: `images[${at}]` }));
  const cover =
    doc.type === "news" ? [{ ref: doc.cover ?? { card: true as const }, field: "cover" }] : [];
  const materials = [...cover, ...images]
    .filter(({ ref }) => !("media_id" in ref))
    .map(({ ref, field }) => ({ field, from: sourceOf(ref) }));
  return [...body, ...materials];
}

function previewOne(
  article: CompiledArticle,
  isOnly: boolean,
  isOwn: (url: string) => boolean,
): PreviewArticle {
  const { doc, title, author, content } = article;
  const text = doc.type === "newspic" ? content.trim() : (readableText(content) ?? "");
  const digest = article.digest || (isOnly ? firstCodePoints(text, DIGEST_CHARS) : "");
  return {
    title,
    author,
    digest: isOnly ? digest : "",
    html: filtered(article),
    counts: {
      title: counted(title),
      author: counted(author),
      digest: counted(article.digest),
      text: counted(text),
      content_bytes: Buffer.byteLength(asUploaded(content, article.bodyImages)),
    },
    uploads: uploadsOf(article, isOwn),
  };
}

function idOf(ref: ImageRef, field: string): string {
  return "media_id" in ref ? ref.media_id : `<${field}>`;
}

function requestOf(articles: readonly CompiledArticle[]): string {
  const wire = articles.map((article) => {
    const { doc, content } = article;
    const placed = {
      content,
      coverMediaId: doc.type === "news" ? idOf(doc.cover ?? { card: true }, "cover") : undefined,
      coverSize: undefined,
      // Crops that are none stand in the problems.
      crops: undefined,
      imageMediaIds: (doc.images ?? []).map((ref, at) => idOf(ref, `images[${at}]`)),
    };
    return toPlatformArticle(article, placed, articles.length === 1);
  });
  return JSON.stringify({ articles: wire });
}

/** What a push would bring about, as far as that can be said without calling anybody. */
export function makePreview(
  { articles, problems }: Judged,
  { publicAccountId, kind, places }: Imprint,
): Preview {
  const own = (url: string) => isOwnImage(url, places);
  return {
    publicAccountId,
    sandbox: kind === "built-in",
    articles: articles.map((article) => previewOne(article, articles.length === 1, own)),
    problems,
    request: requestOf(articles),
  };
}
