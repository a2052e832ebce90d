// What all who dress an article share.
import type { Drawings } from "../formulas/formulas.ts";
import type { Notes } from "../markdown/notes.ts";
import type { References } from "../markdown/references.ts";
import type { Part, Theme } from "../theme.ts";
import { type Element, element, type Node, type Style } from "../tree.ts";
import type { Highlight } from "./highlight.ts";

export interface Dressing {
  readonly theme: Theme;
  readonly references: References;
  readonly drawings: Drawings;
  readonly highlight: Highlight;
  readonly notes: Notes;
  /** Whether the article is mostly Chinese. */
  readonly chinese: boolean;
  /** Whether the headings get the numbers that the theme has for them. */
  readonly numbered: boolean;
}

/** For what has blocks in it. */
export interface OuterDressing extends Dressing {
  /** Dresses what stands inside of something, its paragraphs as the given part. */
  inside(nodes: readonly Node[], paragraph: Part): readonly Node[];
}

export function part(
  { theme }: Dressing,
  name: Part,
  tag: string,
  children: readonly Node[],
  own?: Style,
): Element {
  return element(tag, { ...theme.parts[name], ...own }, children);
}

/** The last of a box's contents needs no distance to what follows it. */
export function withoutLastMargin(nodes: readonly Node[]): readonly Node[] {
  const last = nodes.at(-1);
  if (last === undefined || typeof last === "string") return nodes;
  const margin = last.style.margin?.split(" ") ?? [];
  if (margin.length !== 3) return nodes;
  const style = { ...last.style, margin: margin[0] === "0" ? "0" : `${margin[0]} ${margin[1]} 0` };
  return [...nodes.slice(0, -1), { ...last, style }];
}
