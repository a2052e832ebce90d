import { describe, expect, test } from "bun:test";
import {
  animatedWebp,
  picture,
  pngOf,
  withPngPart,
} from "../../../test/support/samples/pictures.ts";
import { type Animation, FRAMES_MAX } from "./animation.ts";
import { readApng } from "./formats/apng-frames.ts";
import { readMovingWebp } from "./formats/webp-frames.ts";

const MEGABYTE = 1024 * 1024;

/** What all frames would weigh if somebody kept them. */
function weightOf(animation: Animation | undefined): number {
  if (animation === undefined) throw new Error("no animation");
  return animation.frames.reduce((sum, frame) => sum + frame.still().length, 0);
}

async function tinyPng(frames: number): Promise<Buffer> {
  const png = await picture("png", 8, 8);
  return pngOf(Array.from({ length: frames }, () => ({ png })));
}

describe("the frames of an animated PNG", () => {
  test.each(["iCCP", "sBIT", "gAMA", "cHRM", "PLTE", "tRNS"])(
    "do not each carry a huge %s",
    async (name) => {
      const plain = await tinyPng(20);
      const heavy = withPngPart(plain, name, Buffer.alloc(MEGABYTE));
      expect(weightOf(readApng(heavy))).toBe(weightOf(readApng(plain)));
    },
  );

  test("carry each part that all have in common once", async () => {
    const plain = await tinyPng(2);
    const gamma = Buffer.from([0, 0, 0xb1, 0x8f]);
    const once = withPngPart(plain, "gAMA", gamma);
    expect(weightOf(readApng(once))).toBe(weightOf(readApng(plain)) + 2 * 16);
    expect(weightOf(readApng(withPngPart(once, "gAMA", gamma)))).toBe(weightOf(readApng(once)));
  });

  test("are made when they are asked for", async () => {
    const frame = readApng(await tinyPng(2))?.frames[0];
    expect(frame?.still()).not.toBe(frame?.still());
    expect(await new Bun.Image(frame?.still() ?? new Uint8Array()).metadata()).toMatchObject({
      width: 8,
      height: 8,
    });
  });

  test("are not read on when there are too many", async () => {
    expect(readApng(await tinyPng(FRAMES_MAX))?.frames).toHaveLength(FRAMES_MAX);
    expect(readApng(await tinyPng(FRAMES_MAX + 1))).toBeUndefined();
  });
});

describe("the frames of an animated WebP", () => {
  test("are not read on when there are too many", async () => {
    const two = animatedWebp(await picture("webp", 8, 8), 8, 8);
    expect(readMovingWebp(two)?.frames).toHaveLength(2);
    const frames = two.subarray(two.indexOf("ANMF"));
    const many = Buffer.concat([two, ...Array<Buffer>(FRAMES_MAX / 2).fill(frames)]);
    expect(readMovingWebp(many)).toBeUndefined();
  });

  test("have pixels once each", async () => {
    const two = animatedWebp(await picture("webp", 8, 8), 8, 8);
    const at = two.indexOf("ANMF");
    const pixels = two.subarray(at + 24, two.indexOf("ANMF", at + 1));
    const again = Buffer.concat([
      two.subarray(0, at + 24),
      pixels,
      ...Array<Buffer>(99).fill(pixels),
    ]);
    again.writeUInt32LE(16 + 100 * pixels.length, at + 4);
    expect(weightOf(readMovingWebp(again))).toBe(weightOf(readMovingWebp(two)) / 2);
  });
});
