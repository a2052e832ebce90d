import { expect, test } from "bun:test";
import { unpackedBytes } from "./zstd-frame.ts";

// On both sides of each length that takes more bytes to say.
const SIZES = [0, 1, 255, 256, 65_791, 65_792, 1_000_000, 9_000_000];

test.each(SIZES)("a frame of %d bytes says so before it is unpacked", async (size) => {
  for (const level of [1, 3, 19]) {
    const packed = await Bun.zstdCompress(Buffer.alloc(size, "ab"), { level });
    expect(unpackedBytes(packed)).toBe(size);
  }
});

test("one that was written without knowing its size says nothing of it", () => {
  // A window, one empty last block.
  expect(unpackedBytes(Buffer.from("28b52ffd0058010000", "hex"))).toBe(0);
});
