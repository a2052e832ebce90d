import { expect, test } from "bun:test";
import fc from "fast-check";
import { isSealed, seal, unseal } from "./envelope.ts";

test("what is sealed comes back unchanged, for its own wire only", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (signature) => {
      const sealed = seal("messages", { signature });
      expect(isSealed(sealed)).toBe(true);
      expect(unseal("messages", sealed)?.signature).toBe(signature);
      expect(unseal("gemini", sealed)).toBeUndefined();
    }),
  );
});

test("a vendor's own text and a damaged envelope are not envelopes", () => {
  expect(isSealed("gAAAAABo")).toBe(false);
  expect(unseal("messages", "gAAAAABo")).toBeUndefined();
  expect(unseal("messages", undefined)).toBeUndefined();
  expect(unseal("messages", seal("messages", { data: "x" }).slice(0, -6))).toBeUndefined();
});
