import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeInSteps } from "../utf8.ts";
import { TextThreads } from "./text-threads.ts";

const threads = new TextThreads();

/** The bytes in chunks of these lengths, one after another, each with memory of its own. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    chunks.push(Uint8Array.from(bytes.subarray(from, from + length)));
    from += length;
  }
  return chunks;
}

/** What either of them makes of bytes; undefined where it refuses them. */
function outcome(decoding: Promise<string>): Promise<string | undefined> {
  return decoding.catch((thrown: Error) => {
    expect(thrown.message).toContain("is not valid UTF-8");
    return undefined;
  });
}

/** Bytes that are a text, or almost one. */
const anyBytes = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }).map((each) => new TextEncoder().encode(each)),
  fc.uint8Array({ maxLength: 20 }),
  fc.uint8Array({ min: 0xc0, maxLength: 20 }),
);
const anyCuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });

describe("a text that a thread makes of bytes", () => {
  test("is what is made of them on the loop, right or wrong, wherever they are cut", async () => {
    const same = fc.asyncProperty(anyBytes, anyCuts, async (each, cuts) => {
      const chunks = cut(each, cuts);
      const onLoop = await outcome(decodeInSteps(chunks));
      expect(await outcome(threads.decode(chunks))).toBe(onLoop as string);
    });
    await fc.assert(same, { numRuns: 100 });
  });

  test("has other characters in place of bytes that are none, for those who want it so", async () => {
    const same = fc.asyncProperty(anyBytes, anyCuts, async (each, cuts) => {
      const text = new TextDecoder().decode(each);
      expect(await threads.mend(cut(each, cuts))).toBe(text);
    });
    await fc.assert(same, { numRuns: 100 });
  });

  test("is whole when it is long, and several at once are not mixed up", async () => {
    const texts = ["a", "é", "狐", "😀"].map((unit) => unit.repeat(1_500_000));
    const decoded = await Promise.all(
      texts.map((text) => threads.decode(cut(new TextEncoder().encode(text), [65_536, 65_537]))),
    );
    expect(decoded.map((text, at) => text === texts[at])).toEqual([true, true, true, true]);
  });

  test("takes its own memory along, and nobody else's", async () => {
    const shared = new TextEncoder().encode("mine, yours");
    const own = new TextEncoder().encode(" and ours");
    expect(await threads.decode([shared.subarray(0, 5), own])).toBe("mine, and ours");
    expect(new TextDecoder().decode(shared)).toBe("mine, yours");
    expect(own.byteLength).toBe(0);
  });

  test("is of any chunks, empty ones and several of one memory too", async () => {
    const shared = new TextEncoder().encode("one, two, three");
    const empty = new Uint8Array(0);
    const chunks = [empty, shared.subarray(5, 8), empty, shared.subarray(0, 3), new Uint8Array(0)];
    expect(await threads.decode(chunks)).toBe("twoone");
  });
});

describe("a body that a thread makes of chunks", () => {
  test("has all of their bytes in order", async () => {
    const same = fc.asyncProperty(anyBytes, anyCuts, async (each, cuts) => {
      const body = await threads.join(cut(each, cuts));
      expect([body.size, await body.bytes()]).toEqual([each.length, new Uint8Array(each)]);
    });
    await fc.assert(same, { numRuns: 50 });
  });

  test("is sent with its length, and can be read more than once", async () => {
    const body = await threads.join(
      cut(new TextEncoder().encode("狐".repeat(2_000_000)), [99_999]),
    );
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body) });
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(server.url);
      expect(answer.headers.get("content-length")).toBe("6000000");
      expect((await answer.text()) === "狐".repeat(2_000_000)).toBe(true);
    }
    await server.stop(true);
  });
});
