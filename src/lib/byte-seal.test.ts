import { expect, test } from "bun:test";
import fc from "fast-check";
import { createByteSeal, isSealed } from "./byte-seal.ts";
import { createVault } from "./vault.ts";

const seal = createByteSeal(createVault("a secret that is long enough for us"), "tests");

test("what was sealed comes back as it was, and is not to be seen in between", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      const sealed = seal.seal(bytes);
      expect(isSealed(sealed)).toBe(true);
      expect([...(seal.open(sealed) ?? [])]).toEqual([...bytes]);
      if (bytes.length > 8) expect(Buffer.from(sealed).includes(Buffer.from(bytes))).toBe(false);
    }),
  );
});

test("no two are sealed alike, in this process or in two", () => {
  const other = createByteSeal(createVault("a secret that is long enough for us"), "tests");
  const bytes = Buffer.from("the same");
  const nonces = [seal, seal, seal, other, other].map((each) =>
    Buffer.from(each.seal(bytes)).subarray(1, 13).toString("hex"),
  );
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(Buffer.from(seal.open(other.seal(bytes)) ?? []).toString()).toBe("the same");
});

test("what another secret or purpose sealed, or what was changed, cannot be opened", () => {
  const bytes = Buffer.from("something of a customer");
  const secret = createByteSeal(createVault("another secret, just as long as ours"), "tests");
  const purpose = createByteSeal(createVault("a secret that is long enough for us"), "others");
  for (const other of [secret, purpose]) expect(seal.open(other.seal(bytes))).toBeUndefined();
  const sealed = seal.seal(bytes);
  for (let at = 1; at < sealed.length; at += 3) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed)).toBeUndefined();
  }
  for (let end = 0; end < sealed.length; end += 5) {
    expect(seal.open(sealed.subarray(0, end))).toBeUndefined();
  }
});

test("what was kept before there was a seal is told from it", () => {
  expect(isSealed(Bun.zstdCompressSync("x".repeat(100)))).toBe(false);
});
