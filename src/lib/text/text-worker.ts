// A thread for texts and bytes of many megabytes, of which each piece of work takes long and cannot be done in steps.
import { workInThread } from "../threads/thread.ts";
import { Utf8Reader } from "../utf8.ts";

/** What is to be made of chunks, in order. */
export interface TextTask {
  /** A text; a text with other characters in place of bytes that are none; all of them as one body. */
  readonly make: "text" | "mended" | "body";
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Undefined where they are no text. */
export type Made = string | Blob | undefined;

function textOf(chunks: TextTask["chunks"]): string | undefined {
  const reader = new Utf8Reader();
  try {
    let text = "";
    for (const chunk of chunks) text += reader.push(chunk);
    return text + reader.end();
  } catch {
    return undefined;
  }
}

workInThread<TextTask, Made>(async ({ make, chunks }) => {
  if (make === "body") return new Blob([...chunks]);
  return make === "text" ? textOf(chunks) : new TextDecoder().decode(Buffer.concat(chunks));
});
