/** A string of fewer characters is gone through before anybody could notice. */
export const LONG_CHARS = 64 * 1024;

/** By where a long string of a text opens, the place of its closing quote. */
export type LongStrings = ReadonlyMap<number, number>;

interface Known {
  readonly text: string;
  readonly ends: LongStrings;
}

let known: Known | undefined;

/**
 * Reads a text of which the long strings are known. Several readers go through it one after another, and each
 * would look at every character of a string in which quotes are escaped, for longer than others should wait.
 */
export function knowingEnds<T>(text: string, ends: LongStrings, read: () => T): T {
  const before = known;
  known = { text, ends };
  try {
    return read();
  } finally {
    known = before;
  }
}

/** The closing quote of the string that opens at `at`, where it is known. */
export function knownEnd(text: string, at: number): number | undefined {
  // The one that is read now is the same object, so that no character of it is compared.
  return known?.text === text ? known.ends.get(at) : undefined;
}
