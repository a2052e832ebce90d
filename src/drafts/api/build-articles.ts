import { Fault } from "../../lib/faults.ts";
import * as z from "../../lib/schemas.ts";
import { htmlHeading, markdownHeading, withoutTags } from "../article/first-heading.ts";
import { membersAbove, withPictures } from "../article/settings-above.ts";
import { type ArticleDoc, articleDocSchema, articleDocsSchema } from "../contract/article.ts";
import {
  type ArticleForm,
  type DraftForm,
  PARTICULARS,
  type UpdateForm,
} from "../contract/draft-form.ts";
import { readFrontMatter } from "../render/markdown/front-matter.ts";
import { THEMES } from "../render/themes.ts";
import type { WrittenArticle } from "../writing/write-article.ts";
import type { WritingRequest } from "../writing/writing-request.ts";
import { checkForm } from "./read-form.ts";

type Loose = Readonly<Record<string, unknown>>;

const SOURCES = ["brief", "markdown", "html", "articles"] as const;
type SourceName = (typeof SOURCES)[number];

function invalid(message: string, param: string): Fault {
  return new Fault("invalid_value", message, { param });
}

/** Which of the four ways a draft is brought by; exactly one. */
export function sourceOf(form: DraftForm): SourceName {
  const given = SOURCES.filter((name) => form[name] !== undefined);
  const [only] = given;
  if (given.length === 1 && only) return only;
  const words = given.length === 0 ? "Bring an article" : `Bring the article once`;
  throw new Fault(
    given.length === 0 ? "missing_required_parameter" : "invalid_value",
    `${words}: by one of brief (with model), markdown, html and articles.`,
    { param: given[1] ?? "markdown" },
  );
}

function checkTheme(doc: ArticleDoc, param: string): ArticleDoc {
  if (doc.theme === undefined || THEMES.some(({ id }) => id === doc.theme)) return doc;
  const names = THEMES.map(({ id }) => id).join(", ");
  throw invalid(`There is no theme "${doc.theme}"; there are ${names}.`, param);
}

/** Members that are there, of those an article may have. Null is as good as absent. */
function particularsOf(form: ArticleForm): Loose {
  const entries = PARTICULARS.map((name) => [name, form[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** What a text says of its article: its first heading, the settings above it, and the words below them. */
function saidByText({ markdown, html }: ArticleForm): Loose | undefined {
  if (markdown !== undefined) {
    const { fields, body, problem } = readFrontMatter(markdown);
    if (problem !== undefined) {
      throw invalid(`The settings above the text cannot be read: ${problem}`, "markdown");
    }
    const source = { format: "markdown", text: body };
    return { ...headed(markdownHeading(body)), ...membersAbove(fields), source };
  }
  if (html === undefined) return undefined;
  const heading = withoutTags(htmlHeading(html) ?? "").trim();
  return { ...headed(heading), source: { format: "html", text: html } };
}

function headed(heading: string): Loose {
  return heading === "" ? {} : { title: heading };
}

function looseDoc(form: ArticleForm): Loose {
  const particulars = particularsOf(form);
  const said = saidByText(form);
  if (said) return withPictures({ title: "", ...said, ...particulars });
  return withPictures({
    ...particulars,
    ...(form.source !== undefined && { source: form.source }),
  });
}

function severalDocs(forms: readonly ArticleForm[]): readonly ArticleDoc[] {
  const schema = z.object({ articles: articleDocsSchema });
  const { articles } = checkForm(schema, { articles: forms.map(looseDoc) });
  return articles.map((doc, at) => checkTheme(doc, `articles[${at}].theme`));
}

/** The articles of a form whose text is there; `written` is what a model has made of the brief. */
export function buildArticles(form: DraftForm, written?: WrittenArticle): readonly ArticleDoc[] {
  if (form.articles) {
    const beside = PARTICULARS.find((name) => form[name] !== undefined);
    if (beside) throw invalid(`With articles, put '${beside}' into them.`, beside);
    return severalDocs(form.articles);
  }
  return [buildArticle(form, written)];
}

/** The one article of a form that does not bring several. */
export function buildArticle(form: DraftForm, written?: WrittenArticle): ArticleDoc {
  const text = written
    ? { title: written.title, digest: written.digest, markdown: undefined }
    : { markdown: form.markdown, html: form.html };
  const loose = looseDoc({ ...form, ...text });
  const source = written && { source: { format: "markdown", text: written.markdown } };
  return checkTheme(checkForm(articleDocSchema, { ...loose, ...source }), "theme");
}

/** What is to be written for a form with a brief. */
export function writingRequestOf(form: DraftForm): WritingRequest {
  const { brief = "", model, language, length, tone, title, digest } = form;
  if (model === undefined) {
    throw new Fault(
      "missing_required_parameter",
      "A brief needs a 'model' that writes the article.",
      {
        param: "model",
      },
    );
  }
  const given = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return { brief, model, language, length, tone, title: given(title), digest: given(digest) };
}

/** A picture that is named again is the one that is there, with its crops. */
function sameCover(before: ArticleDoc, given: unknown): unknown {
  const { cover } = before;
  if (typeof given !== "string" || !cover) return given;
  const address = "url" in cover ? cover.url : "data" in cover ? cover.data : undefined;
  return address === given ? cover : given;
}

/**
 * The articles after a change: all of them anew, or members of one. What the form names comes first, then
 * what a new text says of itself, as when it is created; the rest stays.
 */
export function changeArticles(
  articles: readonly ArticleDoc[],
  form: UpdateForm,
): readonly ArticleDoc[] {
  if (form.articles) return severalDocs(form.articles);
  const index = form.article ?? 0;
  const before = articles[index];
  if (!before) throw invalid(`The draft has ${articles.length} articles.`, "article");
  const request: Loose = form;
  const unlessNull = (doc: object) =>
    Object.fromEntries(Object.entries(doc).filter(([name]) => request[name] !== null));
  const said: Loose = { ...unlessNull(saidByText(form) ?? {}), ...particularsOf(form) };
  const cover = said.cover === undefined ? {} : { cover: sameCover(before, said.cover) };
  const loose = withPictures({ ...unlessNull(before), ...said, ...cover });
  const after = checkTheme(checkForm(articleDocSchema, loose), "theme");
  return articles.map((article, at) => (at === index ? after : article));
}
