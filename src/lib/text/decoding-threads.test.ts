import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeInSteps } from "../utf8.ts";
import { DecodingThreads } from "./decoding-threads.ts";

const threads = new DecodingThreads();

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

describe("a text that a thread makes of bytes", () => {
  test("is what is made of them on the loop, right or wrong, wherever they are cut", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const bytes = fc.oneof(
      text.map((each) => new TextEncoder().encode(each)),
      fc.uint8Array({ maxLength: 20 }),
    );
    const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
    const same = fc.asyncProperty(bytes, lengths, async (each, cuts) => {
      const chunks = cut(each, cuts);
      const onLoop = await outcome(decodeInSteps(chunks));
      expect(await outcome(threads.decode(chunks))).toBe(onLoop as string);
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
});
