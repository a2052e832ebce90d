const TAB = 9;
const SPACE = 32;
/** By this bit a capital letter differs from the small one. */
const SMALL = 32;
const SIGNS = 32;

/** The text of a head, and the signs of the names of its fields. */
export interface HeadText {
  /** The status line and the fields, each in front of its line break. */
  readonly text: string;
  readonly signs: number;
}

/** One bit of 32 for a name, by its length and its first letter: most names that are asked for have one that is not there. */
export function signOf(chars: number, first: number): number {
  return 1 << ((chars + (first | SMALL)) % SIGNS);
}

/** Whether this name, of small letters and dashes, stands at the beginning of a line. */
export function isNamed(text: string, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(at + i) | SMALL) !== name.charCodeAt(i)) return false;
  }
  return true;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

const patterns = new Map<string, RegExp>();

function patternOf(name: string): RegExp {
  let pattern = patterns.get(name);
  if (!pattern) {
    pattern = new RegExp(`\\n${name}:[ \\t]*([^\\r\\n]*)`, "i");
    patterns.set(name, pattern);
  }
  return pattern;
}

/** The first value of a field, by a name that the code has, in small letters: each is remembered as a pattern. */
export function fieldOf({ text, signs }: HeadText, name: string): string | null {
  if ((signs & signOf(name.length, name.charCodeAt(0))) === 0) return null;
  return patternOf(name).exec(text)?.[1]?.trimEnd() ?? null;
}
