// Where in a text stands what rendering took out of it, so that an author finds it.

import type { TakenOut } from "../contract/preview.ts";
import { withoutPictures } from "../render/markdown/inline-pictures.ts";

/** Who has more of them finds the others by the first ones. */
const LINES_MAX = 5;

/** How a thing that is called by this name is written in a text. */
function patternOf(name: string): RegExp {
  const plain = (text: string) => text.replace(/[^\w-]/g, "\\$&");
  const element = /^<(.+)>$/.exec(name)?.[1];
  if (element !== undefined) return new RegExp(`<${plain(element)}(?![\\w-])`, "i");
  if (name.endsWith(":")) return new RegExp(plain(name), "i");
  // An attribute stands before its value, a style before its own.
  return new RegExp(`(?<![\\w-])${plain(name)}\\s{0,9}[=:]`, "i");
}

/** The first lines in which each of these things stands; none, where it is written in some other way. */
export function takenOut(text: string, names: readonly string[]): readonly TakenOut[] {
  const lines = withoutPictures(text).text.split("\n");
  return names.map((name) => {
    const pattern = patternOf(name);
    const found: number[] = [];
    for (const [at, line] of lines.entries()) {
      if (found.length === LINES_MAX) break;
      if (pattern.test(line)) found.push(at + 1);
    }
    return { name, lines: found };
  });
}
