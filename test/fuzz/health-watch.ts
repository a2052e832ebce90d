// A thread that asks `/healthz` again and again on a connection of its own, and knows how long the
// longest answer took. What holds the server's loop holds this answer.
declare const self: Worker;

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
    await Bun.sleep(1);
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
