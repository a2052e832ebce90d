import { expect, test } from "bun:test";
import fc from "fast-check";
import { sealedAsBefore } from "../../../test/support/samples/older-seal.ts";
import { createByteSeal, isBound, isSealed } from "./byte-seal.ts";
import { createVault } from "./vault.ts";

const PLACE = "here";
const seal = createByteSeal(createVault("a secret that is long enough for us"), "tests");

test("what was sealed comes back as it was, and is not to be seen in between", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      const sealed = seal.seal(bytes, PLACE);
      expect(isSealed(sealed)).toBe(true);
      expect([...(seal.open(sealed, PLACE) ?? [])]).toEqual([...bytes]);
      if (bytes.length > 8) expect(Buffer.from(sealed).includes(Buffer.from(bytes))).toBe(false);
    }),
  );
});

test("no two are sealed alike, in this process or in two", () => {
  const other = createByteSeal(createVault("a secret that is long enough for us"), "tests");
  const bytes = Buffer.from("the same");
  const nonces = [seal, seal, seal, other, other].map((each) =>
    Buffer.from(each.seal(bytes, PLACE)).subarray(1, 13).toString("hex"),
  );
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(Buffer.from(seal.open(other.seal(bytes, PLACE), PLACE) ?? []).toString()).toBe("the same");
});

test("what another secret or purpose sealed, or what was changed, cannot be opened", () => {
  const bytes = Buffer.from("something of a customer");
  const secret = createByteSeal(createVault("another secret, just as long as ours"), "tests");
  const purpose = createByteSeal(createVault("a secret that is long enough for us"), "others");
  for (const other of [secret, purpose])
    expect(seal.open(other.seal(bytes, PLACE), PLACE)).toBeUndefined();
  const sealed = seal.seal(bytes, PLACE);
  for (let at = 0; at < sealed.length; at += 3) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed, PLACE)).toBeUndefined();
  }
  for (let end = 0; end < sealed.length; end += 5) {
    expect(seal.open(sealed.subarray(0, end), PLACE)).toBeUndefined();
  }
});

test("what was sealed for one place does not open at another", () => {
  const sealed = seal.seal(Buffer.from("something of a customer"), PLACE);
  for (const place of ["", "elsewhere", "her", "here "]) {
    expect(seal.open(sealed, place)).toBeUndefined();
  }
});

test("what was sealed before there were places opens at any, and nothing new passes for it", () => {
  const vault = createVault("a secret that is long enough for us");
  const older = sealedAsBefore(vault, "tests", Buffer.from("of earlier days"));
  expect([isSealed(older), isBound(older)]).toEqual([true, false]);
  expect(Buffer.from(seal.open(older, PLACE) ?? []).toString()).toBe("of earlier days");
  for (const place of ["", PLACE]) {
    const passed = Buffer.from(seal.seal(Buffer.from("new"), place));
    passed[0] = older[0] ?? 0;
    expect(seal.open(passed, place)).toBeUndefined();
  }
});

test("what was kept before there was a seal is told from it", () => {
  expect(isSealed(Bun.zstdCompressSync("x".repeat(100)))).toBe(false);
});
