// Where the right edge of a text is straight. A word that cannot be broken leaves the rest of its line
// empty, and straight edges spread that emptiness between all letters before it.

import { isWide } from "../formulas/formulas.ts";
import { elementsOf, NO_STYLE, type Node, type Style, textOf } from "../tree.ts";
import type { Dressing } from "./dressing.ts";

/** Half a dozen Chinese letters wide, of about twenty in a line. */
const LONG_WORD = /[\u0021-\u024f]{10}/;
const LATIN = /\p{Script=Latin}/gu;
const HAN = /\p{Script=Han}/gu;
const LEFT: Style = { "text-align": "left" };

function isMostlyLatin(text: string): boolean {
  return (text.match(LATIN)?.length ?? 0) > (text.match(HAN)?.length ?? 0);
}

function holdsWideFormula(nodes: readonly Node[]): boolean {
  return [...elementsOf(nodes)].some((element) => element.name === "svg" && isWide(element));
}

/**
 * Of a paragraph or an item that is dressed, so that formulas are drawings and not words. Articles that
 * are not Chinese have a ragged edge everywhere.
 */
export function edgesOf(nodes: readonly Node[], { chinese }: Dressing): Style {
  if (!chinese) return NO_STYLE;
  const text = textOf(nodes);
  const isRagged = LONG_WORD.test(text) || isMostlyLatin(text) || holdsWideFormula(nodes);
  return isRagged ? LEFT : NO_STYLE;
}
