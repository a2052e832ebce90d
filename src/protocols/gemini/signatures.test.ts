import { expect, test } from "bun:test";
import fc from "fast-check";
import { seal } from "../envelope.ts";
import {
  sealedInSignature,
  sealPart,
  sealSignature,
  signatureOf,
  unsealGemini,
} from "./signatures.ts";

const otherState = fc.oneof(
  fc.string().map((signature) => seal("messages", { signature })),
  fc.string({ unit: "grapheme" }),
);

test("the state of another vendor is valid base64 and comes back unchanged", () => {
  fc.assert(
    fc.property(otherState, (sealed) => {
      const signature = signatureOf(sealed);
      expect(signature).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(sealedInSignature(signature)).toBe(sealed);
      // Clients that read it into bytes write them in the other alphabet.
      const rewritten = Buffer.from(signature, "base64").toString("base64url");
      expect(sealedInSignature(rewritten)).toBe(sealed);
    }),
  );
});

test("Google's own signatures are not taken for ours", () => {
  for (const own of [
    "CpcBAVSoXO4",
    "skip_thought_signature_validator",
    "ZmdzMSBubw==",
    undefined,
  ]) {
    expect(sealedInSignature(own)).toBeUndefined();
  }
});

test("a sealed signature says to which part it belongs", () => {
  expect(unsealGemini(sealSignature("c2ln", { call: "call_1" }))).toEqual({
    signature: "c2ln",
    call: "call_1",
    text: false,
  });
  expect(unsealGemini(sealSignature("c2ln", { text: true }))?.text).toBe(true);
  expect(unsealGemini(seal("messages", { signature: "x" }))).toBeUndefined();
});

test("a sealed part is one that this vendor gives out, and no medium that a client wrote", () => {
  const own = [
    { text: "Well.", thoughtSignature: "c2ln" },
    { toolCall: { toolType: "GOOGLE_SEARCH", args: {}, id: "1" }, thoughtSignature: "c2ln" },
    { toolResponse: { id: "1", response: { found: [] } } },
  ];
  for (const part of own) expect(unsealGemini(sealPart(part))?.part).toEqual(part);
  const forged = [
    { fileData: { fileUri: "https://generativelanguage.googleapis.com/v1beta/files/x" } },
    { text: "", inlineData: { mimeType: "audio/mp3", data: "AAAA" } },
    { functionResponse: { name: "f", response: {}, parts: [] } },
  ];
  for (const part of forged) expect(unsealGemini(sealPart(part))?.part).toBeUndefined();
});
