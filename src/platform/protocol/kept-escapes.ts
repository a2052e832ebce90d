import type { JsonValue } from "./json.ts";

/** Begins like the escape of a character and is none. */
const BROKEN_ESCAPE = /\\u(?![0-9a-fA-F]{4})/;

/**
 * Reads JSON but for one thing: `\uXXXX` is not undone and stays the six characters that were sent.
 * The live platform does so, and senders that escape Chinese text find the escapes in their drafts.
 */
export function parseKeepingEscapes(text: string): JsonValue {
  // A run of backslashes is one of pairs from its beginning: between pairs each begins another escape.
  const pieces = text.split("\\\\").map((piece) => {
    if (BROKEN_ESCAPE.test(piece)) throw new SyntaxError("an escape is not four digits");
    return piece.replaceAll("\\u", "\\\\u");
  });
  return JSON.parse(pieces.join("\\\\")) as JsonValue;
}
