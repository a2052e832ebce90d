/** Up to here all steps together are over before anybody could notice. */
const LARGE_CHARS = 128 * 1024;

/** Whether work on a text must be done in steps, with a breath between them. */
export function isLarge(text: string): boolean {
  return text.length > LARGE_CHARS;
}

/** Lets everybody else have their turn on the loop. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Puts a text together that consists of pieces, which the first look at it would do: with one of many megabytes
 * that takes as long as a step of the work that comes next, and is to be a step of its own.
 */
export async function flatten(text: string): Promise<void> {
  text.startsWith("{");
  await breath();
}
