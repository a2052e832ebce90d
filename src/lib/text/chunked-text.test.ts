import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bodyInit, encodeInSteps } from "./chunked-text.ts";

const STEP_CHARS = 512 * 1024;

async function encoded(pieces: readonly string[]): Promise<string> {
  const { chunks, bytes } = await encodeInSteps(pieces);
  const whole = Buffer.concat(chunks);
  expect(bytes).toBe(whole.length);
  return whole.toString();
}

describe("a long text in bytes", () => {
  test("is the same as if it had been encoded at once, for any pieces", async () => {
    const pieces = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 20 });
    const all = fc.asyncProperty(pieces, async (each) => (await encoded(each)) === each.join(""));
    await fc.assert(all, { numRuns: 50 });
  });

  test("is cut inside of no character, wherever a step ends", async () => {
    for (const ahead of ["", "a", "ab", "abc"]) {
      const text = ahead + "😀敏é".repeat(STEP_CHARS / 2);
      expect((await encoded([text, "{}", text])) === `${text}{}${text}`).toBe(true);
    }
  });

  test("comes in chunks that are each made within a moment", async () => {
    const { chunks } = await encodeInSteps(["x".repeat(5 * STEP_CHARS), "y", "z".repeat(10)]);
    expect(chunks.length).toBe(6);
    expect(Math.max(...chunks.map(({ length }) => length))).toBe(STEP_CHARS);
  });

  test("is read as a stream as often as somebody wants it", async () => {
    const body = await encodeInSteps(["a".repeat(STEP_CHARS + 1)]);
    for (let i = 0; i < 2; i++) {
      expect(await new Response(bodyInit(body)).text()).toBe("a".repeat(STEP_CHARS + 1));
    }
  });
});
