import type { ArticleDoc } from "../contract/article.ts";
import type { PublicAccount } from "../draft.ts";
import { isTooComplex } from "../preflight/readable-text.ts";
import { charsToRead } from "../render/markdown/inline-pictures.ts";
import { MARKDOWN_CHARS_MAX } from "../render/markdown/markdown.ts";
import type { RenderNote } from "../render/markdown/notes.ts";
import { ArticleTooComplex } from "../render/too-complex.ts";
import type { Renderer } from "../render-pool/renderer.ts";
import { inWholeCharacters } from "./whole-characters.ts";

/** An article ready to be judged: rendered, its pictures still where they come from. */
export interface CompiledArticle {
  readonly doc: ArticleDoc;
  readonly title: string;
  readonly author: string;
  readonly digest: string;
  readonly theme: string | undefined;
  /** HTML of an article, plain text of an image message. */
  readonly content: string;
  /** Sources of the pictures in the content, each once. */
  readonly bodyImages: readonly string[];
  readonly notes: readonly RenderNote[];
  /** It was written to cost its reader time, and is not rendered at all. */
  readonly tooComplex: boolean;
  /** It is longer than is rendered; pictures in the text are not counted. */
  readonly tooLong: { readonly limit: number; readonly found: number } | undefined;
}

/** Twice what the platform takes, for what is left out of it. */
const HTML_CHARS_MAX = 2 * 1024 * 1024;

type AccountDefaults = Pick<PublicAccount, "author" | "theme">;

async function compileOne(
  renderer: Renderer,
  written: ArticleDoc,
  account: AccountDefaults,
): Promise<CompiledArticle> {
  const doc = inWholeCharacters(written);
  const { format, text } = doc.source;
  const theme = doc.theme ?? account.theme ?? undefined;
  const title = doc.title.trim();
  const words = {
    doc,
    title,
    theme,
    author: inWholeCharacters(doc.author ?? account.author ?? "").trim(),
    digest: (doc.digest ?? "").trim(),
  };
  const nothing = { content: "", bodyImages: [], notes: [] };
  const bare = { ...words, ...nothing, tooComplex: false, tooLong: undefined };
  // Before any pattern sees it: what is too long is not even looked into.
  const limit = format === "markdown" ? MARKDOWN_CHARS_MAX : HTML_CHARS_MAX;
  const found = charsToRead(text);
  if (found > limit) return { ...bare, tooLong: { limit, found } };
  if (isTooComplex(text)) return { ...bare, tooComplex: true };
  try {
    if (doc.type === "newspic") return { ...bare, content: renderer.renderPlain(text, format) };
    const { html, images, notes } = await renderer.render({ format, text, title }, { theme });
    return { ...bare, content: html, bodyImages: images, notes };
  } catch (thrown) {
    // So deep that even walking through it fails, or so much that we say so ourselves.
    const isTooComplex = thrown instanceof ArticleTooComplex || thrown instanceof RangeError;
    if (isTooComplex) return { ...bare, tooComplex: true };
    throw thrown;
  }
}

export async function compileArticles(
  renderer: Renderer,
  docs: readonly ArticleDoc[],
  account: AccountDefaults,
): Promise<readonly CompiledArticle[]> {
  const compiled: CompiledArticle[] = [];
  for (const doc of docs) compiled.push(await compileOne(renderer, doc, account));
  return compiled;
}
