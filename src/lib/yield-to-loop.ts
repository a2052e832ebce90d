/** Work on a text of up to this length takes too little time to notice. */
const LARGE_CHARS = 128 * 1024;

/** Whether work on a text, or on its bytes, must be done in steps, yielding to the loop between them. */
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

/** Work that waits to go on, in the order of asking. */
const waiting: (() => void)[] = [];

/** Lets the first one go on, and the next one in the next tick. */
function tick(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(tick);
}

/**
 * Yields to the event loop between two steps of long work. Only one long work has a step in each tick, so that many
 * at once hold up nothing else.
 */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(tick);
  });
}

/**
 * Joins a text that the runtime keeps as pieces, which the first look at it would do. With many megabytes that takes
 * as long as a step of work, so it is a step of its own.
 */
export async function flatten(text: string): Promise<void> {
  text.startsWith("{");
  await yieldToLoop();
}
