import { onOneLine } from "../../bytes/sse.ts";

/** How the chunks of a stream are put one after another. */
export interface Framing {
  /** A chunk behind what was written before it, where there was anything. */
  chunk(text: string, isFirst: boolean): Uint8Array;
  /** What follows the last chunk. */
  readonly end: Uint8Array;
  /** A sign of life, which stands between two chunks and says nothing. */
  readonly keepAlive: Uint8Array;
}

/** Server-sent events, as clients ask for them by `alt=sse`. */
export const EVENTS: Framing = {
  chunk: (text) => Buffer.from(`data: ${onOneLine(text)}\n\n`),
  end: new Uint8Array(),
  keepAlive: Buffer.from(": keep-alive\n\n"),
};

/** One array that is long in coming, which is how the vendor streams if nothing is said. */
export const ARRAY: Framing = {
  chunk: (text, isFirst) => Buffer.from(`${isFirst ? "[" : ",\n"}${text}\n`),
  end: Buffer.from("]\n"),
  keepAlive: Buffer.from("\n"),
};
