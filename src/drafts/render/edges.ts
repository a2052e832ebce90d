// Where the right edge of a text is straight. A word that cannot be broken leaves the rest of its line
// empty, and straight edges spread that emptiness between all letters before it.
import type { Dressing } from "./dressing.ts";
import { NO_STYLE, type Node, type Style, textOf } from "./tree.ts";

/** Half a dozen Chinese letters wide, of about twenty in a line. */
const LONG_WORD = /[\u0021-\u024f]{10}/;
const LATIN = /\p{Script=Latin}/gu;
const HAN = /\p{Script=Han}/gu;
const LEFT: Style = { "text-align": "left" };

function isMostlyLatin(text: string): boolean {
  return (text.match(LATIN)?.length ?? 0) > (text.match(HAN)?.length ?? 0);
}

/** Of a paragraph or an item; articles that are not Chinese have a ragged edge everywhere. */
export function edgesOf(nodes: readonly Node[], { chinese }: Dressing): Style {
  if (!chinese) return NO_STYLE;
  const text = textOf(nodes);
  return LONG_WORD.test(text) || isMostlyLatin(text) ? LEFT : NO_STYLE;
}
