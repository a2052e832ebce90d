// Formulas as drawings that need no font and no style sheet.

import { Notes } from "../markdown/notes.ts";
import { readHtml } from "../sanitize.ts";
import { ArticleTooComplex, depthOf } from "../too-complex.ts";
import { type Element, elementsOf, type Node, textOf } from "../tree.ts";
import { type Draw, EM_PX, EX_PX, type Formula, openMathJax } from "./formula-drawing.ts";

/** Drawings by `formulaKey`; what could not be read as a formula is missing. */
export type Drawings = ReadonlyMap<string, Element>;

interface Drawing {
  readonly element: Element;
  readonly chars: number;
}

/** A phone shows about twenty letters in a line, fewer in lists and quotes. */
const WIDE_EM = 14;
/** An article of mathematics has a few hundred. */
const FORMULAS_MAX = 1_000;
/** Deeper ones take seconds each, and mean nothing. */
const BRACES_MAX = 60;
/** Of one formula as it is written, and of all that differ; a long one takes the square of its length. */
const TEX_CHARS_MAX = 2_000;
const TEX_CHARS_SUM_MAX = 40_000;
/** Of all drawings in an article. The platform takes half of it, with everything else. */
const DRAWN_CHARS_MAX = 2 * 1024 * 1024;

export function formulaKey({ tex, display }: Formula): string {
  return `${display ? "display" : "inline"} ${tex}`;
}

export function formulasIn(nodes: readonly Node[]): readonly Formula[] {
  const found: Formula[] = [];
  for (const element of elementsOf(nodes)) {
    const formula = formulaOf(element);
    if (formula) found.push(formula);
  }
  return found;
}

export function formulaOf(element: Element): Formula | undefined {
  const mark = element.attributes["data-math"];
  if (mark === undefined) return undefined;
  return { tex: textOf(element.children), display: mark === "display" };
}

/** The keys of those that are drawn. Throws `ArticleTooComplex` for too much of them before any is drawn. */
function keysToDraw(formulas: readonly Formula[]): ReadonlySet<string> {
  const keys = new Set<string>();
  let texChars = 0;
  for (const formula of formulas) {
    const key = formulaKey(formula);
    if (keys.has(key) || keys.size >= FORMULAS_MAX) continue;
    keys.add(key);
    texChars += Math.min(formula.tex.length, TEX_CHARS_MAX);
    if (texChars > TEX_CHARS_SUM_MAX) throw new ArticleTooComplex();
  }
  return keys;
}

/** Throws `ArticleTooComplex` where the drawings alone are more than an article may be. */
export async function drawFormulas(formulas: readonly Formula[]): Promise<Drawings> {
  const drawn = new Map<string, Drawing | undefined>();
  if (formulas.length === 0) return new Map();
  const keys = keysToDraw(formulas);
  const draw = await openMathJax();
  let chars = 0;
  for (const formula of formulas) {
    const key = formulaKey(formula);
    if (keys.has(key) && !drawn.has(key)) {
      // Each may take a while; others are served in between.
      await Bun.sleep(0);
      drawn.set(key, await drawOne(draw, formula));
    }
    chars += drawn.get(key)?.chars ?? 0;
    if (chars > DRAWN_CHARS_MAX) throw new ArticleTooComplex();
  }
  const drawings = new Map<string, Element>();
  for (const [key, drawing] of drawn) if (drawing) drawings.set(key, drawing.element);
  return drawings;
}

/** A formula that cannot be read is no reason to lose an article. */
async function drawOne(draw: Draw, formula: Formula): Promise<Drawing | undefined> {
  const { tex } = formula;
  if (tex.length > TEX_CHARS_MAX || depthOf(tex, "{", "}") > BRACES_MAX) return undefined;
  try {
    const text = await draw(formula);
    const [svg] = readHtml(text, new Notes());
    if (svg === undefined || typeof svg === "string") return undefined;
    return { element: sized(svg), chars: text.length };
  } catch {
    return undefined;
  }
}

/** The size goes into the style, in the letters' own unit: an ex of a Chinese font may be any size. */
function sized(svg: Element): Element {
  const { width, height, ...attributes } = svg.attributes;
  const style: Record<string, string> = {};
  for (const [property, value] of Object.entries(svg.style)) style[property] = em(value);
  if (width !== undefined) style.width = em(width);
  if (height !== undefined) style.height = em(height);
  return { ...svg, attributes, style, children: slim(svg.children) };
}

/** Whether a drawing may not fit beside the margins of a phone. */
export function isWide({ style }: Element): boolean {
  return Number.parseFloat(style.width ?? "0") > WIDE_EM;
}

function em(size: string): string {
  if (!size.endsWith("ex")) return size;
  const value = Number(size.slice(0, -2)) * (EX_PX / EM_PX);
  return `${Number(value.toFixed(3))}em`;
}

/** Groups that group nothing are half of what MathJax writes. */
function slim(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [node];
    const children = slim(node.children);
    const says = Object.keys(node.attributes).length + Object.keys(node.style).length > 0;
    if (node.name === "g" && (!says || children.length === 0)) return children;
    return [{ ...node, children }];
  });
}
