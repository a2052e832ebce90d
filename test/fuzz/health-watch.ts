// A thread that asks `/healthz` again and again on a connection of its own, and knows how long the
// longest answer took. What holds the server's loop holds this answer.
import { count } from "../support/counts.ts";

declare const self: Worker;

/** Only long runs look at how long somebody waits; to ask without a pause takes half of a core. */
const PAUSE_MS = count(20, 1);

let longestMs = 0;
let asked = 0;

async function watch(url: string): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`/healthz says ${response.status}`);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    asked++;
    await Bun.sleep(PAUSE_MS);
  }
}

self.onmessage = ({ data }: MessageEvent<{ watch?: string }>) => {
  if (data.watch === undefined) {
    self.postMessage({ longestMs, asked });
    longestMs = 0;
    return;
  }
  watch(data.watch).catch((thrown: unknown) => self.postMessage({ broke: String(thrown) }));
};
