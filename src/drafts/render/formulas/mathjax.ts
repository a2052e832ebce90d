// MathJax as its makers built it. That is less than half of its sources and draws the same.
import { createRequire } from "node:module";
import { HOME, loadPart } from "./mathjax-parts.ts";

/** A node of a formula that has been read and not yet drawn. */
export interface FormulaNode {
  readonly kind: string;
  walkTree(visit: (node: FormulaNode) => void): void;
  getText?(): string;
}

interface InputJax {
  readonly postFilters: { add(filter: (read: { data: { root: FormulaNode } }) => void): void };
}

/** An element of the drawing. */
type Drawn = object;

interface Adaptor {
  getElements(selectors: readonly string[], within: Drawn): readonly Drawn[];
  setAttribute(element: Drawn, name: string, value: string): void;
  innerHTML(element: Drawn): string;
}

interface Handler {
  create(text: string, options: object): { convert(tex: string, options: object): Drawn };
}

interface Classes {
  readonly mathjax: { readonly mathjax: { handleRetriesFor<T>(work: () => T): Promise<T> } };
  readonly input: { readonly tex_ts: { readonly TeX: new (options: object) => InputJax } };
  readonly output: { readonly svg_ts: { readonly SVG: new (options: object) => object } };
  readonly adaptors: { readonly liteAdaptor: { liteAdaptor(): Adaptor } };
  readonly handlers: {
    readonly html: { readonly HTMLHandler: { HTMLHandler: new (adaptor: Adaptor) => Handler } };
  };
}

/** What is used of the package, which comes without types. */
interface MathJaxPackage {
  init(options: object): Promise<unknown>;
  /** The classes of what was loaded. */
  readonly _: Classes;
  /** Among others the letters, once they are loaded. */
  readonly config: { readonly svg: object };
}

/** None of those by which a formula could link, load or set attributes. */
export const EXTENSIONS = ["ams", "newcommand", "boldsymbol", "cancel", "mathtools"];

let loading: Promise<MathJaxPackage> | undefined;

/** It is large, so it is loaded with the first article that holds a formula. */
export function mathJax(): Promise<MathJaxPackage> {
  loading ??= load().catch((thrown) => {
    // The next article tries again.
    loading = undefined;
    throw thrown;
  });
  return loading;
}

/** What MathJax reads from the global scope before it starts, and leaves there. */
interface Globals {
  require: NodeJS.Require;
  MathJax: object;
}

async function load(): Promise<MathJaxPackage> {
  const globals = globalThis as unknown as Globals;
  globals.require = createRequire(import.meta.url);
  globals.MathJax = { __dirname: HOME, loader: { require: loadPart } };
  // Imported after the globals are set.
  await import("mathjax/node-main.js");
  const MathJax = globals.MathJax as MathJaxPackage;
  const extensions = EXTENSIONS.map((name) => `[tex]/${name}`);
  const parts = ["adaptors/liteDOM", "input/tex-base", ...extensions, "output/svg"];
  await MathJax.init({ loader: { load: parts }, startup: { typeset: false } });
  return MathJax;
}
