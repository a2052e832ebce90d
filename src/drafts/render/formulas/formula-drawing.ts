import { EXTENSIONS, type FormulaNode, mathJax } from "./mathjax.ts";

export interface Formula {
  readonly tex: string;
  readonly display: boolean;
}

export type Draw = (formula: Formula) => Promise<string>;

/** How wide MathJax takes an em and an ex to be; only their ratio shows in the result. */
export const EM_PX = 16;
export const EX_PX = 8;
/** What the style sheet of MathJax, which an article cannot have, says of the lines of frames. */
const FRAME_STROKE = "70";
/** Of one formula, once its macros are written out. */
const SIGNS_MAX = 1_500;
/** Some lines define ten macros that each call ten others. */
const MACROS_MAX = 500;

/** A new document for each article: what one defines must not be known to the next. */
export async function openMathJax(): Promise<Draw> {
  const { _: classes, config } = await mathJax();
  const { mathjax, input, output, adaptors, handlers } = classes;
  const adaptor = adaptors.liteAdaptor.liteAdaptor();
  const handler = new handlers.html.HTMLHandler.HTMLHandler(adaptor);
  const InputJax = new input.tex_ts.TeX({
    packages: ["base", ...EXTENSIONS],
    maxMacros: MACROS_MAX,
    formatError: (_input: unknown, error: unknown) => {
      throw error;
    },
  });
  InputJax.postFilters.add(({ data }) => {
    if (signsOf(data.root) > SIGNS_MAX) throw new Error("the formula is too long");
  });
  const plain = { fontCache: "none", linebreaks: { inline: false } };
  const OutputJax = new output.svg_ts.SVG({ ...config.svg, ...plain });
  const document = handler.create("", { InputJax, OutputJax });
  return async ({ tex, display }) => {
    const options = { display, em: EM_PX, ex: EX_PX, containerWidth: 80 * EM_PX };
    const drawn = await mathjax.mathjax.handleRetriesFor(() => document.convert(tex, options));
    for (const line of adaptor.getElements([".mjx-solid"], drawn)) {
      adaptor.setAttribute(line, "fill", "none");
      adaptor.setAttribute(line, "stroke-width", FRAME_STROKE);
    }
    return adaptor.innerHTML(drawn);
  };
}

/** Nodes and characters: each becomes a shape, and long numbers are one node. */
function signsOf(root: FormulaNode): number {
  let signs = 0;
  root.walkTree((node) => {
    signs += node.kind === "text" ? (node.getText?.().length ?? 0) : 1;
  });
  return signs;
}
