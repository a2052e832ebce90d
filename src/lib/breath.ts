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
