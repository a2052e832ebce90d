// A thread that makes texts of bytes: where they are many megabytes, that cannot be done in steps.
import { workInThread } from "../threads/thread.ts";
import { Utf8Reader } from "../utf8.ts";

/** Chunks of one text, in order. */
export interface DecodeTask {
  readonly chunks: readonly Uint8Array[];
}

/** Undefined where they are no text. */
export type Decoded = string | undefined;

workInThread<DecodeTask, Decoded>(async ({ chunks }) => {
  const reader = new Utf8Reader();
  try {
    let text = "";
    for (const chunk of chunks) text += reader.push(chunk);
    return text + reader.end();
  } catch {
    return undefined;
  }
});
