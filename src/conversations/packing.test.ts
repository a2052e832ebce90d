import { afterEach, expect, jest, spyOn, test } from "bun:test";
import fc from "fast-check";
import { ticksDuring } from "../../test/support/waiting.ts";
import { pack, packAnswer, unpack, unpackAnswer, weightOf } from "./packing.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test("what was packed comes back as it was, whatever it is", async () => {
  const object = fc.dictionary(
    fc.string().filter((name) => name !== "__proto__"),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(object), object, async (input, response) => {
      const turn = JSON.parse(JSON.stringify({ input, response }));
      const packed = await pack(turn, 1_000_000);
      expect(await unpack(packed as Uint8Array)).toEqual(turn);
    }),
    { numRuns: 50 },
  );
});

test("repeated text takes far less room than its JSON", async () => {
  const input = Array.from({ length: 500 }, () => ({ role: "user", content: "the same words" }));
  const turn = { input, response: { id: "resp_1" } };
  expect(Number((await pack(turn, 1_000_000))?.byteLength) * 10).toBeLessThan(
    JSON.stringify(turn).length,
  );
});

test("an answer comes back to the byte, with what stood in front of it", async () => {
  const bytes = fc.uint8Array({ maxLength: 500 });
  const headers = fc.dictionary(fc.constantFrom("content-type", "x-faregate-cost"), fc.string());
  await fc.assert(
    fc.asyncProperty(bytes, headers, async (body, named) => {
      const answer = { status: 200, headers: { ...named }, body };
      const found = await unpackAnswer(await packAnswer(answer));
      expect({ ...found, body: [...found.body] }).toEqual({ ...answer, body: [...body] });
    }),
    { numRuns: 50 },
  );
});

test("one that is too large unpacked is not packed, however small it would be", async () => {
  const turn = { input: [{ text: "a".repeat(10_000) }], response: {} };
  const bytes = JSON.stringify(turn).length;
  expect(await pack(turn, bytes - 1)).toBeUndefined();
  const packed = await pack(turn, bytes);
  expect(packed?.byteLength).toBeLessThan(200);
  const taken: number[] = [];
  await unpack(packed as Uint8Array, { grow: (more) => taken.push(more) });
  expect(taken[0]).toBe(bytes);
  expect(taken.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(2 * bytes);
});

test("what there is no room for is not unpacked", async () => {
  const text = "a".repeat(300_000);
  const full = {
    grow(bytes: number) {
      throw new Error(`no room for ${bytes}`);
    },
  };
  const turn = { input: [], response: { text } };
  const answer = { status: 200, headers: {}, body: Buffer.from(text) };
  const packed = (await pack(turn, 1_000_000)) as Uint8Array;
  const packedAnswer = await packAnswer(answer);
  const unpacks = spyOn(Bun, "zstdDecompress");
  const before = unpacks.mock.calls.length;
  const refused = [unpack(packed, full), unpackAnswer(packedAnswer, full)];
  const heard = await Promise.all(refused.map((each) => each.catch(({ message }) => message)));
  expect(heard).toEqual([
    `no room for ${JSON.stringify(turn).length}`,
    `no room for ${text.length + '{"status":200,"headers":{}}\n'.length}`,
  ]);
  expect(unpacks.mock.calls.length).toBe(before);
});

test("a large one is the same, and leaves others their turns", async () => {
  const pieces = ["x".repeat(1_500_000), '"\n'.repeat(250_000), "漢".repeat(500_000)];
  const input = pieces.map((text) => ({ type: "message", role: "user", content: text }));
  const turn = { input, response: { id: "resp_1", output: [] } };
  const text = JSON.stringify(turn);
  // Both work in threads, where nobody is held up: what counts is what is left for the loop.
  spyOn(Bun, "zstdCompress").mockImplementation(async (bytes) => Bun.zstdCompressSync(bytes));
  spyOn(Bun, "zstdDecompress").mockImplementation(async (bytes) => Bun.zstdDecompressSync(bytes));
  const ticksMin = text.length / 2 ** 20;
  let packed: Uint8Array | undefined;
  const packing = async () => {
    packed = await pack(turn, 100_000_000);
  };
  expect(await ticksDuring(packing)).toBeGreaterThan(ticksMin);
  let unpacked: unknown;
  let taken = 0;
  const unpacking = async () => {
    unpacked = await unpack(packed as Uint8Array, {
      grow(bytes) {
        taken += bytes;
      },
    });
  };
  expect(await ticksDuring(unpacking)).toBeGreaterThan(ticksMin);
  expect(Bun.deepEquals(unpacked, turn)).toBe(true);
  expect(taken).toBeGreaterThan(4 * text.length);
  const weighing = async () => weightOf({ input });
  expect(await ticksDuring(weighing)).toBeGreaterThan(ticksMin);
});
