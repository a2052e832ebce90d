import { describe, expect, test } from "bun:test";
import { eventStream, type Pace } from "./event-stream.ts";

const PACE: Pace = { delayMs: 0, stallAfter: null, cutAfter: null, resetAfter: null };

function source(count: number) {
  const state = { made: 0, returned: false };
  const events: Iterator<string> = {
    next: () => {
      if (state.made >= count) return { done: true, value: undefined };
      state.made += 1;
      return { done: false, value: `event ${state.made}\n\n` };
    },
    return: () => {
      state.returned = true;
      return { done: true, value: undefined };
    },
  };
  return { state, events };
}

async function chunksOf(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of stream) chunks.push(new TextDecoder().decode(chunk));
  return chunks;
}

describe("an event stream", () => {
  test("sends one chunk for each event, also past a pause for other work", async () => {
    const { events } = source(200);
    const stream = eventStream(events, PACE, new AbortController().signal);
    const chunks = await chunksOf(stream);
    expect(chunks).toHaveLength(200);
    expect(chunks[199]).toBe("event 200\n\n");
  });

  test("makes nothing before it is read", async () => {
    const { state, events } = source(1_000);
    const stream = eventStream(events, PACE, new AbortController().signal);
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    await Bun.sleep(1);
    expect(state.made).toBeLessThanOrEqual(3);
    await reader.cancel();
    expect(state.returned).toBe(true);
  });

  test("ends early or breaks after so many events", async () => {
    const { signal } = new AbortController();
    expect(
      await chunksOf(eventStream(source(9).events, { ...PACE, cutAfter: 2 }, signal)),
    ).toHaveLength(2);
    const broken = eventStream(source(9).events, { ...PACE, resetAfter: 2 }, signal);
    await expect(chunksOf(broken)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("stops with the signal's reason while stalled, waiting or not yet begun", async () => {
    for (const pace of [
      { ...PACE, stallAfter: 1 },
      { ...PACE, delayMs: 60_000 },
    ]) {
      const { state, events } = source(9);
      const controller = new AbortController();
      const reader = eventStream(events, pace, controller.signal).getReader();
      await reader.read();
      const pending = reader.read();
      controller.abort(new Error("client left"));
      await expect(pending).rejects.toThrow("client left");
      expect(state).toEqual({ made: 1, returned: true });
    }
    const aborted = AbortSignal.abort(new Error("too late"));
    await expect(chunksOf(eventStream(source(3).events, PACE, aborted))).rejects.toThrow(
      "too late",
    );
  });

  test("a reader that leaves a stalled stream frees it", async () => {
    const { state, events } = source(9);
    const stream = eventStream(events, { ...PACE, stallAfter: 1 }, new AbortController().signal);
    const reader = stream.getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    expect((await pending).done).toBe(true);
    expect(state.returned).toBe(true);
  });
});
