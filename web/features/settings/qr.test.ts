import { describe, expect, test } from "bun:test";
import { pathOf, qrCode } from "./qr.ts";

const URI = "otpauth://totp/Faregate:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Faregate";

/** Reads a code of one block without looking at how it was drawn. */
function read(grid: readonly (readonly boolean[])[]): number[] {
  const width = grid.length;
  const centre = width - 7;
  const taken = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x >= width - 8 && y < 9) ||
    (x < 9 && y >= width - 8) ||
    x === 6 ||
    y === 6 ||
    (width > 21 && Math.abs(x - centre) <= 2 && Math.abs(y - centre) <= 2);
  const columns = Array.from({ length: width }, (_, x) => width - 1 - x).filter((x) => x !== 6);
  const bits: number[] = [];
  for (let pair = 0; pair < columns.length; pair += 2) {
    for (let step = 0; step < width; step += 1) {
      const y = pair % 4 === 0 ? width - 1 - step : step;
      for (const x of columns.slice(pair, pair + 2)) {
        if (!taken(x, y)) bits.push(Number(grid[y]?.[x]) ^ Number((x + y) % 2 === 0));
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2),
  );
}

/** A beginning of a real link, as long as each size can hold. */
function linkOf(chars: number): string {
  const start = "otpauth://totp/Faregate:ada%40example.com?secret=";
  return start.padEnd(chars, "JBSWY3DPEHPK3PXP").slice(0, chars);
}

/** Each was read back by a decoder of others, jsQR 1.4, before its hash was written down here. */
const SCANNED = [
  [17, 21, "c41339071f65102c"],
  [32, 25, "89b869085cf82a07"],
  [53, 29, "02e41ad0dfa529d1"],
  [78, 33, "b666540f38002ccb"],
  [106, 37, "9b6d87e91566c8da"],
  [134, 41, "571b71f358fd5826"],
  [154, 45, "6acaaa01fd75853f"],
  [192, 49, "d84a39922cf58bc6"],
  [230, 53, "fd3bb7cec9ecffa7"],
  [271, 57, "69118ff0cb165742"],
  [586, 81, "d47d103a534f2373"],
] as const;

const LOGS: number[] = [];
const POWERS: number[] = [];
for (let power = 0, value = 1; power < 255; power += 1) {
  POWERS[power] = value;
  LOGS[value] = power;
  value = value & 128 ? (value << 1) ^ 0x11d : value << 1;
}

/** What is left of the codewords at a power of two: nothing where no codeword is damaged. */
function syndrome(codewords: readonly number[], power: number): number {
  return codewords.reduce((sum, codeword) => {
    const moved = sum === 0 ? 0 : (POWERS[((LOGS[sum] ?? 0) + power) % 255] ?? 0);
    return moved ^ codeword;
  }, 0);
}

describe("a QR code", () => {
  test.each([
    ["short", 21, 7],
    [URI, 37, 26],
  ])("of %p can be read and its correction agrees", (text, width, correction) => {
    const grid = qrCode(text);
    expect(grid).toHaveLength(width);
    const codewords = read(grid);
    const length = ((codewords[0] ?? 0) % 16) * 16 + ((codewords[1] ?? 0) >> 4);
    expect((codewords[0] ?? 0) >> 4).toBe(4);
    const bytes = Array.from({ length }, (_, at) => {
      const [high = 0, low = 0] = codewords.slice(at + 1, at + 3);
      return (high % 16) * 16 + (low >> 4);
    });
    expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(text);
    for (let power = 0; power < correction; power += 1) {
      expect(syndrome(codewords, power)).toBe(0);
    }
  });

  test.each(SCANNED)(
    "of %i characters is the one that a decoder has read",
    (chars, width, hash) => {
      const grid = qrCode(linkOf(chars));
      expect(grid).toHaveLength(width);
      const bits = grid.map((row) => row.map(Number).join("")).join("\n");
      const found = new Bun.CryptoHasher("sha256").update(bits).digest("hex");
      expect(found).toStartWith(hash);
    },
  );

  test("says its format beside the corner", () => {
    const grid = qrCode(URI);
    const across = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => Number(grid[8]?.[x])).join("");
    expect(across).toBe("11101111");
  });

  test("grows with its text", () => {
    expect(qrCode("a".repeat(150))).toHaveLength(45);
    expect(qrCode("a".repeat(230))).toHaveLength(53);
    expect(qrCode("a".repeat(231))).toHaveLength(57);
  });

  test("is drawn as one path of its dark places", () => {
    expect(
      pathOf([
        [true, false],
        [false, true],
      ]),
    ).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
  });
});
