// From what an author wrote to what the draft box takes: HTML that needs nothing but itself.
import { HtmlTooComplex } from "../../wechat/html-tree.ts";
import { Dresser, keep } from "./dress/dress.ts";
import { dressInline } from "./dress/dress-inline.ts";
import { type Dressing, part } from "./dress/dressing.ts";
import { articleHighlight, plainCode } from "./dress/highlight.ts";
import { drawFormulas, formulasIn } from "./formulas/formulas.ts";
import { readFrontMatter } from "./markdown/front-matter.ts";
import { markdownToHtml } from "./markdown/markdown.ts";
import { Notes, type RenderNote } from "./markdown/notes.ts";
import { type Reference, References } from "./markdown/references.ts";
import { plainText } from "./plain.ts";
import { readBounded, readHtml } from "./sanitize.ts";
import { themeOf } from "./themes.ts";
import { ArticleTooComplex, SOURCE_ELEMENTS_MAX } from "./too-complex.ts";
import {
  type Element,
  element,
  elementsOf,
  hasStyle,
  isBlank,
  isOne,
  NO_STYLE,
  type Node,
  textOf,
  writeHtml,
} from "./tree.ts";

type Format = "markdown" | "html";

interface ArticleSource {
  readonly format: Format;
  readonly text: string;
  /** A first heading that only repeats it is left out. */
  readonly title?: string | undefined;
}

interface RenderedArticle {
  readonly html: string;
  /** Sources of the pictures of the body until they are placed, each once and as they stand. */
  readonly images: readonly string[];
  readonly notes: readonly RenderNote[];
}

/** What we wrote ourselves may lie deeper than what we accept: themes put boxes around things. */
const OWN_DEPTH_MAX = 250;

/** Throws `ArticleTooComplex` for what was written to cost its reader time or memory. */
export async function renderArticle(
  source: ArticleSource,
  options: { readonly theme?: string | undefined } = {},
): Promise<RenderedArticle> {
  const notes = new Notes();
  const read = readSource(source.text, source.format, notes);
  const { body, texts } = withoutNoteTexts(withoutTitle(read, source.title, notes));
  const text = plainText(body, { addresses: false });
  const hasCode = [...elementsOf(body)].some(({ name }) => name === "pre");
  const dressing: Dressing = {
    theme: themeOf(options.theme),
    references: new References(texts),
    drawings: await drawFormulas(formulasIn(read)),
    highlight: hasCode ? articleHighlight() : plainCode,
    notes,
    chinese: isChinese(text),
    numbered: wantsNumbers(body),
  };
  const article = [boxed(body, dressing)];
  return { html: writeHtml(article), images: imagesOf(article), notes: notes.list() };
}

/** The words alone, with line ends and without any element, as a message of pictures has them. */
export function renderPlain(text: string, format: Format): string {
  return plainText(readSource(text, format, new Notes()), { addresses: true });
}

/** Gives the pictures of a rendered article their places; those without one stay as they are. */
export function placeImages(html: string, places: ReadonlyMap<string, string>): string {
  const placed = (from: readonly Node[]): readonly Node[] =>
    from.map((node) => {
      if (typeof node === "string") return node;
      const { name, attributes, children } = node;
      const src = name === "img" ? places.get(attributes.src ?? "") : undefined;
      const own = src === undefined ? attributes : { ...attributes, src };
      return { ...node, attributes: own, children: placed(children) };
    });
  return writeHtml(placed(readHtml(html, new Notes(), OWN_DEPTH_MAX)));
}

function readSource(text: string, format: Format, notes: Notes): readonly Node[] {
  const html = format === "html" ? text : markdownToHtml(readFrontMatter(text).body);
  try {
    return readBounded(html, notes, SOURCE_ELEMENTS_MAX);
  } catch (thrown) {
    throw thrown instanceof HtmlTooComplex ? new ArticleTooComplex() : thrown;
  }
}

function withoutTitle(
  nodes: readonly Node[],
  title: string | undefined,
  notes: Notes,
): readonly Node[] {
  const start = nodes.findIndex((node) => !isBlank(node));
  const first = nodes[start];
  if (title === undefined || !isOne(first, "h1")) return nodes;
  if (plain(textOf(first.children)) !== plain(title)) return nodes;
  notes.add("title_heading_removed");
  return nodes.slice(start + 1);
}

function plain(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, "").toLowerCase();
}

/** The texts of notes, wherever they stood, by the names under which they are called. */
function withoutNoteTexts(nodes: readonly Node[]) {
  const texts = new Map<string, readonly Node[]>();
  const without = (from: readonly Node[]): readonly Node[] =>
    from.flatMap((node): readonly Node[] => {
      if (typeof node === "string") return [node];
      const name = node.attributes["data-note-text"];
      if (name === undefined) return [{ ...node, children: without(node.children) }];
      if (!texts.has(name)) texts.set(name, node.children);
      return [];
    });
  return { body: without(nodes), texts };
}

function isChinese(text: string): boolean {
  const letters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return letters > words;
}

const OWN_NUMBER =
  /^\s*(?:[\d０-９]+\s*[.、．:：)）\s]|[一二三四五六七八九十]+\s*[、.．]|第.{1,4}[章节部步]|(?:part|step|chapter)\s*\d|[ivx]+\.)/i;

/** One heading needs no number, and those that brought numbers need no second one. */
function wantsNumbers(nodes: readonly Node[]): boolean {
  const headings = [...elementsOf(nodes)].filter(({ name }) => name === "h2");
  const owned = headings.some(({ children }) => OWN_NUMBER.test(textOf(children)));
  return headings.length > 1 && !owned;
}

/** One box around everything carries what a page's body would: the platform keeps no other. */
function boxed(nodes: readonly Node[], dressing: Dressing): Element {
  const { parts } = dressing.theme;
  const own = ownBox(nodes);
  if (own) {
    const kept = keep(own, dressing);
    return { ...kept, children: [...kept.children, ...referenceList(dressing)] };
  }
  const blocks = leading(new Dresser(dressing).blocks(nodes, "p"), dressing);
  const end = element("p", { margin: "0" }, [element("br", NO_STYLE, [])]);
  const root = { ...parts.root, ...(dressing.chinese ? {} : parts.rootLatin) };
  return element("section", root, [...blocks, ...referenceList(dressing), end, end]);
}

/** An article that was designed elsewhere, or rendered here before, has its box already. */
function ownBox(nodes: readonly Node[]): Element | undefined {
  const [only, ...others] = nodes.filter((node) => !isBlank(node));
  if (!isOne(only, "section") || others.length > 0) return undefined;
  return hasStyle(only) ? only : undefined;
}

/** The first paragraph may stand out, where an article has more than that one. */
function leading(blocks: readonly Node[], { theme }: Dressing): readonly Node[] {
  const [first, ...others] = blocks;
  if (!isOne(first, "p") || others.length < 2) return blocks;
  return [{ ...first, style: { ...first.style, ...theme.parts.lead } }, ...others];
}

function referenceList(dressing: Dressing): readonly Node[] {
  const { references, chinese } = dressing;
  const list: Element[] = [];
  for (const [index, entry] of references.entries().entries()) {
    const number = part(dressing, "noteNumber", "span", [`[${index + 1}]`]);
    list.push(part(dressing, "note", "section", [number, ...referenceWords(entry, dressing)]));
  }
  if (list.length === 0) return [];
  const title = listTitle(references.entries(), chinese);
  const heading = part(dressing, "notesTitle", "p", [title]);
  return [part(dressing, "notes", "section", [heading, ...list])];
}

function referenceWords(entry: Reference, dressing: Dressing): readonly Node[] {
  if (entry.kind === "note") return dressInline(entry.text, dressing);
  const address = part(dressing, "noteAddress", "span", [entry.address]);
  return [dressing.chinese ? `${entry.label}：` : `${entry.label}: `, address];
}

function listTitle(entries: readonly Reference[], chinese: boolean): string {
  const links = entries.some(({ kind }) => kind === "link");
  const notes = entries.some(({ kind }) => kind === "note");
  if (links && notes) return chinese ? "注释与引用" : "Notes and references";
  if (notes) return chinese ? "注释" : "Notes";
  return chinese ? "引用链接" : "References";
}

function imagesOf(nodes: readonly Node[]): readonly string[] {
  const images = [...elementsOf(nodes)].filter(({ name }) => name === "img");
  return [...new Set(images.flatMap(({ attributes }) => attributes.src ?? []))];
}
