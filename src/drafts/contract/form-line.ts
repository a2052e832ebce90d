import * as z from "../../lib/schemas.ts";

const LINE_CHARS_MAX = 200;

/** A text of one line that is not empty. */
export function line(what: string, charsMax = LINE_CHARS_MAX) {
  return z
    .string(`${what} is a text.`)
    .trim()
    .min(1, `${what} is empty.`)
    .max(charsMax, `At most ${charsMax} characters.`);
}
