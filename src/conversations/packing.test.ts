import { expect, test } from "bun:test";
import fc from "fast-check";
import { pack, packAnswer, unpack, unpackAnswer } from "./packing.ts";

test("what was packed comes back as it was, whatever it is", async () => {
  const object = fc.dictionary(
    fc.string().filter((name) => name !== "__proto__"),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(object), object, async (input, response) => {
      const turn = JSON.parse(JSON.stringify({ input, response }));
      expect(await unpack(await pack(turn))).toEqual(turn);
    }),
    { numRuns: 50 },
  );
});

test("repeated text takes far less room than its JSON", async () => {
  const input = Array.from({ length: 500 }, () => ({ role: "user", content: "the same words" }));
  const turn = { input, response: { id: "resp_1" } };
  expect((await pack(turn)).byteLength * 10).toBeLessThan(JSON.stringify(turn).length);
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
