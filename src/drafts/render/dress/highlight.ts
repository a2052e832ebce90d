// Words of code with the scope that each one has; the colours are the theme's.
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { depthOf } from "../too-complex.ts";

export interface CodeWord {
  readonly text: string;
  /** As highlight.js names it, without its prefix: `keyword`, `string`, `title`. */
  readonly scope: string | undefined;
}

export type Highlight = (code: string, language: string | undefined) => readonly CodeWord[];

/**
 * Code beyond these is shown in one colour: it is data rather than something to read. Lines are
 * searched to their end from each of their places, and what is nested is looked through from inside
 * out, so each of them is what a hostile text would make long. An article has at most 20,000 characters.
 */
const CODE_LENGTH_MAX = 20_000;
const LINE_LENGTH_MAX = 1_000;
const BRACKETS_DEEP_MAX = 300;
const SUBSTITUTIONS_MAX = 200;
const ARTICLE_CODE_MAX = 40_000;

/** Where code stands in a string, to be computed: `${`, `#{`, `$(`, `\\(`, `{$`, `f"`. */
const SUBSTITUTION = /[$#\\@]["({]|\b[fF]["']|\{\$/g;

/** Languages beside the forty in the package's common set. Literal names, so that a bundler finds them. */
const MORE_LANGUAGES: Readonly<Record<string, () => unknown>> = {
  dart: () => require("highlight.js/lib/languages/dart"),
  dockerfile: () => require("highlight.js/lib/languages/dockerfile"),
  elixir: () => require("highlight.js/lib/languages/elixir"),
  haskell: () => require("highlight.js/lib/languages/haskell"),
  latex: () => require("highlight.js/lib/languages/latex"),
  nginx: () => require("highlight.js/lib/languages/nginx"),
  powershell: () => require("highlight.js/lib/languages/powershell"),
  protobuf: () => require("highlight.js/lib/languages/protobuf"),
  scala: () => require("highlight.js/lib/languages/scala"),
};

/**
 * What is used of highlight.js. Its own types bring those of a browser with them, which would
 * change what `fetch` and streams are everywhere in this program.
 */
interface Library {
  getLanguage(name: string): unknown;
  registerLanguage(name: string, language: unknown): void;
  highlight(
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ): { value: string };
}

/** Loaded with the first article that holds code, and once for all. */
let highlight: Highlight | undefined;

/** For one article, however many blocks of code it has. */
export function articleHighlight(): Highlight {
  highlight ??= load();
  const colour = highlight;
  let left = ARTICLE_CODE_MAX;
  return (code, language) => {
    left -= code.length;
    return left < 0 ? plainCode(code, language) : colour(code, language);
  };
}

export const plainCode: Highlight = (code) => [{ text: code, scope: undefined }];

function load(): Highlight {
  const library: Library = require("highlight.js/lib/common");
  for (const [name, language] of Object.entries(MORE_LANGUAGES)) {
    library.registerLanguage(name, language());
  }
  return (code, language) => words(library, code, language);
}

function words(library: Library, code: string, language: string | undefined): readonly CodeWord[] {
  const known = language !== undefined && library.getLanguage(language) !== undefined;
  if (!known || !isReadable(code)) return plainCode(code, language);
  const { value } = library.highlight(code, { language, ignoreIllegals: true });
  return parseFragment(value).childNodes.flatMap((node) => wordsOf(node, undefined));
}

function isReadable(code: string): boolean {
  if (code.length > CODE_LENGTH_MAX) return false;
  if (code.split("\n").some(({ length }) => length > LINE_LENGTH_MAX)) return false;
  const substitutions = code.match(SUBSTITUTION)?.length ?? 0;
  return substitutions <= SUBSTITUTIONS_MAX && depthOf(code, "([{<", ")]}>") <= BRACKETS_DEEP_MAX;
}

/** Scopes nest, as a variable does in a string; the innermost one is the word's. */
function wordsOf(
  node: DefaultTreeAdapterTypes.ChildNode,
  outer: string | undefined,
): readonly CodeWord[] {
  if ("value" in node) return [{ text: node.value, scope: outer }];
  if (!("tagName" in node)) return [];
  const classes = node.attrs.find(({ name }) => name === "class")?.value ?? "";
  const scope = /(?:^|\s)hljs-([\w-]+)/.exec(classes)?.[1] ?? outer;
  const named = scope === "title" && classes.includes("class_") ? "title.class" : scope;
  // What stands in a string to be computed is code again.
  const inner = named === "subst" ? undefined : named;
  return node.childNodes.flatMap((child) => wordsOf(child, inner));
}
