import { codePoints } from "../../wechat/measure.ts";
import { isBlank, showsPicture } from "../../wechat/seen.ts";
import type { CompiledArticle } from "../article/compile.ts";
import type { Problem } from "../contract/preview.ts";
import { asUploaded } from "../push/as-uploaded.ts";
import { cropProblems } from "./crops.ts";
import { lineProblems } from "./lines.ts";
import { markupProblems } from "./markup.ts";
import { readableText } from "./readable-text.ts";
import { settingsProblems } from "./settings.ts";

/** A problem of one article, before its index is known. */
export type Finding = Omit<Problem, "article">;

const ARTICLES_MAX = 8;
const TEXT_CHARS_MAX = 20_000;
const CONTENT_BYTES_MAX = 1024 * 1024;
/** Where the real platform has been seen to refuse, with room to spare. */
const CONTENT_BYTES_WALL = 600 * 1024;
const SOURCE_URL_BYTES_MAX = 1024;
const IMAGES_MAX = 20;
const NEWSPIC_TITLE_CHARS = 20;
const NEWSPIC_TEXT_CHARS = 1_000;

function contentSize(content: string): Finding[] {
  const bytes = Buffer.byteLength(content);
  if (bytes > CONTENT_BYTES_MAX) {
    const message = `The content has ${bytes} bytes; at most ${CONTENT_BYTES_MAX} are taken.`;
    const facts = { field: "source.text", limit: CONTENT_BYTES_MAX, found: bytes };
    return [{ severity: "error", code: "content_too_large", ...facts, message }];
  }
  if (bytes <= CONTENT_BYTES_WALL) return [];
  const message = `The content has ${bytes} bytes; the live platform refuses at about 670 KB.`;
  const facts = { field: "source.text", limit: CONTENT_BYTES_WALL, found: bytes };
  return [{ severity: "warning", code: "content_near_wall", ...facts, message }];
}

function contentLength(text: string, content: string): Finding[] {
  const place = { field: "source.text", limit: TEXT_CHARS_MAX };
  const found = codePoints(text);
  if (found > TEXT_CHARS_MAX) {
    const message = `The text has ${found} characters; at most ${TEXT_CHARS_MAX} are taken.`;
    const fix = { kind: "shorten" } as const;
    return [{ severity: "error", code: "text_too_long", ...place, found, message, fix }];
  }
  const whole = codePoints(content);
  if (whole <= TEXT_CHARS_MAX) return [];
  const message = `With its markup the content has ${whole} characters, which is usual and is taken.`;
  return [{ severity: "info", code: "markup_long", ...place, found: whole, message }];
}

function contentProblems(article: CompiledArticle): Finding[] {
  const { doc, content, bodyImages, tooComplex, tooLong } = article;
  if (tooLong) {
    const { limit, found } = tooLong;
    const message = `The text has ${found} characters with its markup; at most ${limit} are taken.`;
    const [severity, code, field] = ["error", "text_too_long", "source.text"] as const;
    return [{ severity, code, field, ...tooLong, message, fix: { kind: "shorten" } }];
  }
  if (tooComplex) {
    const message =
      "The text is too complex: it has too many elements or formulas, or they lie too deep.";
    return [{ severity: "error", code: "content_too_complex", field: "source.text", message }];
  }
  const text = doc.type === "newspic" ? content.trim() : readableText(content);
  const sent = asUploaded(content, bodyImages);
  // The markup's own rules say that it is too complex.
  if (text === undefined) return contentSize(sent);
  const isDrawn = () => doc.type !== "newspic" && (bodyImages.length > 0 || showsPicture(content));
  if (isBlank(text) && !isDrawn()) {
    const message = "The article has nothing that a reader could see.";
    return [{ severity: "error", code: "content_empty", field: "source.text", message }];
  }
  return [...contentSize(sent), ...contentLength(text, sent)];
}

function sourceUrlProblems({ source_url: url }: CompiledArticle["doc"]): Finding[] {
  if (url === undefined || url === "") return [];
  const field = "source_url";
  const bytes = Buffer.byteLength(url);
  if (bytes > SOURCE_URL_BYTES_MAX) {
    const message = `The address has ${bytes} bytes; at most ${SOURCE_URL_BYTES_MAX} are taken.`;
    const limits = { limit: SOURCE_URL_BYTES_MAX, found: bytes };
    return [{ severity: "error", code: "source_url_too_long", field, ...limits, message }];
  }
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (isWeb) return [];
  const message = "The address of the original must begin with http:// or https://.";
  const facts = { limit: "http:// or https://", found: url };
  return [{ severity: "error", code: "source_url_invalid", field, ...facts, message }];
}

/** The first that looks like one, closed anywhere: a pattern would search from each of them. */
function hasTags(text: string): boolean {
  const first = /<\/?[a-z]/i.exec(text);
  return first !== null && text.lastIndexOf(">") > first.index;
}

function newspicProblems({ doc, title, content }: CompiledArticle): Finding[] {
  const problems: Finding[] = [];
  const images = doc.images?.length ?? 0;
  if (images === 0 || images > IMAGES_MAX) {
    const code = images === 0 ? "images_missing" : "images_too_many";
    const message = `An image message has 1 to ${IMAGES_MAX} pictures; this one has ${images}.`;
    const limit = `1 to ${IMAGES_MAX}`;
    problems.push({ severity: "error", code, field: "images", limit, found: images, message });
  }
  if (hasTags(content)) {
    const message = "The text of an image message is plain; it has HTML tags.";
    const fix = { kind: "strip_tags" } as const;
    const field = "source.text";
    problems.push({ severity: "error", code: "tags_in_plain_text", field, message, fix });
  }
  const lengths = [
    { field: "title", code: "newspic_title_long", limit: NEWSPIC_TITLE_CHARS, text: title },
    { field: "source.text", code: "newspic_text_long", limit: NEWSPIC_TEXT_CHARS, text: content },
  ];
  for (const { field, code, limit, text } of lengths) {
    const found = codePoints(text);
    if (found <= limit) continue;
    const message = `The platform's own editor allows ${limit} characters here; there are ${found}.`;
    problems.push({ severity: "warning", code, field, limit, found, message });
  }
  return problems;
}

function coverProblems({ doc }: CompiledArticle): Finding[] {
  if (doc.type === "newspic" || (doc.cover && !("card" in doc.cover))) return [];
  const message = "There is no cover; a title card is drawn.";
  const fix = { kind: "title_card" } as const;
  return [{ severity: "info", code: "cover_drawn", field: "cover", message, fix }];
}

function flagProblems({ doc }: CompiledArticle): Finding[] {
  const problems: Finding[] = [];
  if (doc.fans_only_comment && !doc.open_comment) {
    const message = "Only followers may comment, but comments are off.";
    const fix = { kind: "close_comment_rule" } as const;
    const field = "fans_only_comment";
    problems.push({ severity: "warning", code: "comment_rule_idle", field, message, fix });
  }
  if (doc.product_key !== undefined && doc.product_key.trim() === "") {
    const message = "A product needs its key.";
    const fix = { kind: "clear" } as const;
    const field = "product_key";
    problems.push({ severity: "error", code: "product_key_empty", field, message, fix });
  }
  return problems;
}

function articleProblems(article: CompiledArticle, isOne: boolean): Finding[] {
  return [
    ...lineProblems(article, isOne),
    ...contentProblems(article),
    ...sourceUrlProblems(article.doc),
    ...(article.doc.type === "newspic" ? newspicProblems(article) : markupProblems(article)),
    ...coverProblems(article),
    ...flagProblems(article),
    ...cropProblems(article.doc),
    ...(article.tooLong || article.tooComplex ? [] : settingsProblems(article)),
  ];
}

function countProblems(count: number, strict: boolean): Problem[] {
  if (count >= 1 && count <= ARTICLES_MAX) return [];
  const message = `A draft has 1 to ${ARTICLES_MAX} articles; this one has ${count}.`;
  const code = count === 0 ? "articles_missing" : "articles_too_many";
  const severity = count === 0 || strict ? "error" : "warning";
  const limit = `1 to ${ARTICLES_MAX}`;
  return [{ severity, code, article: 0, field: "articles", limit, found: count, message }];
}

/**
 * Every rule that can be judged without calling anybody. The number of articles is custom, not
 * written down: only where `strictCount` is it an error.
 */
export function preflight(
  articles: readonly CompiledArticle[],
  { strictCount }: { readonly strictCount: boolean },
): readonly Problem[] {
  const isOne = articles.length === 1;
  return [
    ...countProblems(articles.length, strictCount),
    ...articles.flatMap((article, index) =>
      articleProblems(article, isOne).map((problem) => ({ ...problem, article: index })),
    ),
  ];
}
