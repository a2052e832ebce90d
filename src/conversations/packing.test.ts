import { expect, test } from "bun:test";
import fc from "fast-check";
import { pack, unpack } from "./packing.ts";

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
