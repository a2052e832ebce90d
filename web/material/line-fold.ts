import type { LineChange } from "../../src/console/contract/material.ts";

/** A line to be drawn, or so many that nothing has happened to. */
export type Drawn =
  | { readonly key: number; readonly line: LineChange }
  | { readonly key: number; readonly folded: number };

/** Lines around a change that tell where it is. */
const CONTEXT = 2;
/** A fold takes a line itself, so a few lines gain nothing by it. */
const FOLD_MIN = 3;

/** The changes with a little around them; the rest is folded. */
export function foldLines(lines: readonly LineChange[]): readonly Drawn[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at);
  }
  const drawn: Drawn[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && !near.has(end)) end++;
    if (end - at >= FOLD_MIN) {
      drawn.push({ key: at, folded: end - at });
      at = end;
    } else {
      const line = lines[at];
      if (line) drawn.push({ key: at, line });
      at++;
    }
  }
  return drawn;
}
