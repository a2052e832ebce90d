// The bytes of an event stream, taken apart by the letter: what a lenient parser forgives is kept.

export interface Frame {
  /** The `event:` line, where there is one. */
  readonly event: string | undefined;
  readonly data: string;
}

export type Json = { readonly [name: string]: unknown };

/** Every frame of a whole stream. Throws on line ends, comments or fields that no stream should have. */
export function framesOf(text: string): Frame[] {
  if (text.includes("\r")) throw new Error("the stream has carriage returns");
  if (!text.endsWith("\n\n")) throw new Error(`the stream ends inside a frame: ${text.slice(-80)}`);
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const match = /^(?:event: (?<event>[^\n]+)\n)?data: (?<data>[^\n]+)$/.exec(block);
      if (!match) throw new Error(`not a frame: ${JSON.stringify(block)}`);
      return { event: match.groups?.event, data: match.groups?.data ?? "" };
    });
}

/** The JSON of every frame but the end marker. */
export function jsonOf(frames: readonly Frame[]): Json[] {
  return frames.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data) as Json);
}

/** All values that stand under a name, however deep. */
export function valuesOf(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(name, item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [inner] : valuesOf(name, inner),
  );
}
