/** Up to here all steps together are over before anybody could notice. */
const LARGE_CHARS = 128 * 1024;

/** Whether work on a text, or on its bytes, must be done in steps, with a breath between them. */
export function isLarge(text: { readonly length: number }): boolean {
  return isLargeLength(text.length);
}

/** The same of so many characters, or bytes. */
export function isLargeLength(length: number): boolean {
  return length > LARGE_CHARS;
}

/** The same for the text that a plain value would be written as, told without writing it. */
export function isLargeValue(value: unknown): boolean {
  return charsLeft(value, LARGE_CHARS) < 0;
}

/** How many of so many characters a value leaves; looks no further than to where none are left. */
function charsLeft(value: unknown, chars: number): number {
  if (typeof value === "string") return chars - value.length;
  let left = chars - 1;
  if (typeof value !== "object" || value === null) return left;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = charsLeft(value[i], left);
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    left = charsLeft(value[name as keyof typeof value], left - name.length);
  }
  return left;
}

/** Those who want to go on, in the order of asking. */
const waiting: (() => void)[] = [];

/** Lets one of them go on, and the next one when the loop comes by again. */
function turn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(turn);
}

/**
 * Lets everybody else have their turn on the loop. Of those who work in steps only one has a step in each turn: many
 * at once take longer, and hold up nobody.
 */
export function breath(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(turn);
  });
}

/**
 * Puts a text together that consists of pieces, which the first look at it would do: with one of many megabytes
 * that takes as long as a step of the work that comes next, and is to be a step of its own.
 */
export async function flatten(text: string): Promise<void> {
  text.startsWith("{");
  await breath();
}
