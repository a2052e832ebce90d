import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { noise } from "../../../test/support/samples/noise.ts";
import {
  animatedGif,
  animatedWebp,
  bitmap,
  fromPhone,
  PLACE,
  picture,
  printJpeg,
  remarkedPng,
  swappedJpeg,
  swappedPng,
  turnedPng,
  turnedWebp,
  withPngPart,
} from "../../../test/support/samples/pictures.ts";
import { BODY, fitPicture, MATERIAL } from "./fit.ts";
import { openImageWorker } from "./image-worker.ts";
import { readPicture } from "./read-picture.ts";

const LIMITS = {
  image_bytes_max: 64 * 1024 * 1024,
  image_side_px_max: 10_000,
  image_pixels_max: 50_000_000,
  image_fetch_ms: 1_000,
  image_redirects_max: 3,
  image_draw_ms: 60_000,
  image_draw_idle_ms: 60_000,
};
const WORKER = openImageWorker(LIMITS);
const MEGABYTE = 1_048_576;

const read = (bytes: Uint8Array, name = "image") => readPicture(bytes, name, LIMITS, WORKER);
const body = async (bytes: Uint8Array, name?: string) =>
  fitPicture(await read(bytes, name), BODY, WORKER);
const material = async (bytes: Uint8Array) => fitPicture(await read(bytes), MATERIAL, WORKER);

/** What is seen at a place, both sides from 0 to 1. */
async function pixelAt(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(image.width * x, image.height * y, 1, 1).data];
}

/** Whether a colour is so near another that only an encoder stands between them. */
function near(found: readonly number[], wanted: readonly number[]): boolean {
  return found.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) < 12);
}

/** How many colours the pixels of a JPEG are made of. */
function jpegColours(bytes: Uint8Array): number | undefined {
  const at = Buffer.from(bytes).indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11]));
  return bytes[at + 9];
}

const RED = [208, 48, 32, 255];
const WHITE = [255, 255, 255, 255];

/** What does not pack, as a profile of a PNG; with the mark of profiles, or without. */
function profiled(png: Buffer, bytes: number, mark: string): Buffer {
  const profile = noise(bytes);
  profile.write(mark, 36, "latin1");
  const name = Buffer.from("p\0\0", "latin1");
  return withPngPart(png, "iCCP", Buffer.concat([name, deflateSync(profile, { level: 0 })]));
}

describe("a picture for the inside of an article", () => {
  test.each([
    ["that is none", "none"],
    ["of the colours that every screen has", "acspsRGB"],
  ])("fits without a huge profile %s", async (_what, mark) => {
    const png = await picture("png", 8, 8);
    const file = await body(profiled(png, 2 * MEGABYTE, mark));
    expect([file.contentType, file.notes]).toEqual(["image/png", ["metadata_removed"]]);
    expect(Buffer.from(file.bytes).equals(png)).toBe(true);
    const photo = await picture("png", 900, 600, "photo");
    const small = await body(profiled(photo, 2 * MEGABYTE, mark));
    expect([small.contentType, small.width]).toEqual(["image/jpeg", 900]);
  });

  test.each(["jpeg", "png"] as const)("stays as it is when it is a small %s", async (kind) => {
    const bytes = await picture(kind);
    const file = await body(bytes, `a.${kind}`);
    expect(Buffer.from(file.bytes).equals(bytes)).toBe(true);
    expect(file.notes).toEqual([]);
  });

  test("loses its place and keeps its pixels to the bit", async () => {
    const plain = await picture("jpeg", 200, 150, "photo");
    const file = await body(fromPhone(plain, 1), "IMG_0001.JPG");
    expect(Buffer.from(file.bytes).equals(plain)).toBe(true);
    expect([file.name, file.notes]).toEqual(["IMG_0001.jpg", ["metadata_removed"]]);
    const png = await picture("png");
    const cleaned = await body(remarkedPng(png));
    expect(Buffer.from(cleaned.bytes).equals(png)).toBe(true);
  });

  test("stands upright without the mark that turned it", async () => {
    const canvas = createCanvas(200, 100);
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, 200, 100);
    pen.fillStyle = "#d03020";
    pen.fillRect(0, 0, 100, 100);
    const file = await body(fromPhone(await canvas.encode("jpeg"), 6));
    expect([file.width, file.height]).toEqual([100, 200]);
    expect(Buffer.from(file.bytes).includes(PLACE)).toBe(false);
    expect(Buffer.from(file.bytes).includes("Exif")).toBe(false);
    expect(near(await pixelAt(file.bytes, 0.5, 0.2), RED)).toBe(true);
    expect(near(await pixelAt(file.bytes, 0.5, 0.8), WHITE)).toBe(true);
  });

  test("is made smaller than 1 MB by as little as it takes", async () => {
    const large = await picture("png", 1_600, 1_200, "photo");
    expect(large.length).toBeGreaterThan(MEGABYTE * 4);
    const file = await body(large, "noise.png");
    expect(file.bytes.length).toBeLessThan(MEGABYTE);
    expect(file.bytes.length).toBeGreaterThan(MEGABYTE / 3);
    expect([file.name, file.contentType]).toEqual(["noise.jpg", "image/jpeg"]);
    expect(file.notes).toEqual(["reencoded", "resized"]);
    expect(file.width / file.height).toBeCloseTo(4 / 3, 1);
    expect(await new Bun.Image(file.bytes).metadata()).toMatchObject({
      format: "jpeg",
      width: file.width,
      height: file.height,
    });
  });

  test("is tried as an exact copy where that may fit, and does without", async () => {
    const large = await picture("png", 640, 570, "photo");
    expect(large.length).toBeGreaterThan(BODY.bytesMax);
    expect(large.length).toBeLessThan(BODY.bytesMax * 1.5);
    const file = await body(large);
    expect([file.contentType, file.width, file.height]).toEqual(["image/jpeg", 640, 570]);
    expect(file.notes).toEqual(["reencoded"]);
  });

  test("of exactly 1 MB is too large, and one byte less is not", async () => {
    const jpeg = await picture("jpeg");
    /** The table of colours stays, so it is what can be padded. */
    const padded = (bytes: number) => {
      const parts: Buffer[] = [];
      for (let left = bytes - jpeg.length; left > 0; ) {
        const size = left > 60_000 && left < 60_100 ? 50_000 : Math.min(left, 60_000);
        const part = Buffer.alloc(size);
        part.write("\xff\xe2", 0, "latin1");
        part.writeUInt16BE(size - 2, 2);
        part.write("ICC_PROFILE\0\x01\x01", 4, "latin1");
        parts.push(part);
        left -= size;
      }
      return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
    };
    const fits = await body(padded(MEGABYTE - 1));
    expect([fits.bytes.length, fits.notes]).toEqual([MEGABYTE - 1, []]);
    const over = await body(padded(MEGABYTE));
    expect(over.notes).toContain("reencoded");
    expect(over.bytes.length).toBeLessThan(MEGABYTE);
  });

  test("named .jpg but WebP inside becomes what its new name says", async () => {
    const file = await body(await picture("webp"), "photo.jpg");
    const { format } = await new Bun.Image(file.bytes).metadata();
    expect([file.name, file.contentType, format]).toEqual(["photo.jpg", "image/jpeg", "jpeg"]);
    expect(file.notes).toEqual(["renamed", "reencoded"]);
    expect(near(await pixelAt(file.bytes, 0.5, 0.5), RED)).toBe(true);
  });

  test("keeps what shows through while that fits", async () => {
    for (const kind of ["webp", "avif"] as const) {
      const file = await body(await picture(kind, 200, 100, "clear"));
      expect(file.contentType).toBe("image/png");
      expect((await pixelAt(file.bytes, 0.9, 0.5))[3]).toBe(0);
      expect(near(await pixelAt(file.bytes, 0.1, 0.5), RED)).toBe(true);
    }
  });

  test("stands before white when what shows through does not fit", async () => {
    const file = await body(await picture("png", 1_200, 1_200, "clear photo"));
    expect(file.contentType).toBe("image/jpeg");
    expect(file.notes).toContain("flattened");
    expect(file.bytes.length).toBeLessThan(MEGABYTE);
    expect(near(await pixelAt(file.bytes, 0.9, 0.5), WHITE)).toBe(true);
  });

  test("of an animation is its first frame, and says so", async () => {
    const gif = await body(animatedGif(60, 40));
    expect(gif.contentType).toBe("image/png");
    expect(gif.notes).toContain("first_frame");
    expect(near(await pixelAt(gif.bytes, 0.9, 0.5), RED)).toBe(true);
    const webp = await body(animatedWebp(await picture("webp", 60, 40), 60, 40));
    expect(webp.notes).toContain("first_frame");
    expect([webp.width, webp.height]).toEqual([60, 40]);
  });

  test.each([
    { depth: 1 },
    { depth: 4 },
    { depth: 8 },
    { depth: 16 },
    { depth: 24 },
    { depth: 24, topDown: true },
    { depth: 24, oldest: true },
    { depth: 8, oldest: true },
    { depth: 32 },
  ] as const)("is made from a bitmap of any depth: %p", async (look) => {
    const file = await body(bitmap(10, 4, look));
    expect([file.contentType, file.width, file.height]).toEqual(["image/png", 10, 4]);
    expect(near(await pixelAt(file.bytes, 0.2, 0.5), RED)).toBe(true);
    expect(near(await pixelAt(file.bytes, 0.8, 0.5), WHITE)).toBe(true);
  });

  test("in the inks of print gets the colours of a screen", async () => {
    for (const fit of [body, material]) {
      const file = await fit(printJpeg([0, 255, 255, 0]));
      expect([file.contentType, file.width, file.height]).toEqual(["image/jpeg", 16, 8]);
      expect(file.notes).toEqual(["reencoded"]);
      expect(jpegColours(file.bytes)).toBe(3);
      expect(near(await pixelAt(file.bytes, 0.5, 0.5), [255, 0, 0, 255])).toBe(true);
    }
  });

  test("with a profile of its own shows the same without it", async () => {
    for (const bytes of [swappedJpeg(await picture("jpeg")), swappedPng(await picture("png"))]) {
      const file = await body(bytes);
      expect(file.notes).toEqual(["reencoded"]);
      expect(Buffer.from(file.bytes).includes("ICC_PROFILE")).toBe(false);
      expect(Buffer.from(file.bytes).includes("iCCP")).toBe(false);
      const [red = 0, green = 0] = await pixelAt(file.bytes, 0.5, 0.5);
      expect(green).toBeGreaterThan(red + 100);
    }
  });

  test.each([
    [2, "right", "upper"],
    [3, "right", "lower"],
    [4, "left", "lower"],
    [5, "left", "upper"],
    [6, "right", "upper"],
    [7, "right", "lower"],
    [8, "left", "lower"],
  ])("that says in a PNG or WebP that it is turned by %p stands upright", async (mark, x, y) => {
    const canvas = createCanvas(40, 20);
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, 40, 20);
    pen.fillStyle = "#d03020";
    pen.fillRect(0, 0, 20, 10);
    const sides = mark >= 5 ? [20, 40] : [40, 20];
    for (const bytes of [
      turnedPng(await canvas.encode("png"), mark),
      turnedWebp(await canvas.encode("webp"), mark),
    ]) {
      const found = await read(bytes);
      expect([found.width, found.height]).toEqual(sides);
      const file = await fitPicture(found, BODY, WORKER);
      expect([file.width, file.height]).toEqual(sides);
      const [across, down] = [x === "left" ? 0.2 : 0.8, y === "upper" ? 0.2 : 0.8];
      expect(near(await pixelAt(file.bytes, across, down), RED)).toBe(true);
      expect(near(await pixelAt(file.bytes, 1 - across, 1 - down), WHITE)).toBe(true);
    }
  });
});

describe("a picture for a cover", () => {
  test("may move", async () => {
    const bytes = animatedGif(60, 40);
    const file = await material(bytes);
    expect([file.contentType, file.bytes.length]).toEqual(["image/gif", bytes.length]);
  });

  test("may have 10 MB, and is otherwise made smaller", async () => {
    const large = await picture("png", 1_600, 1_200, "photo");
    expect((await material(large)).bytes.length).toBe(large.length);
    // So much more that an exact copy is not worth the try.
    const huge = await picture("png", 2_100, 1_900, "photo");
    expect(huge.length).toBeGreaterThan(MATERIAL.bytesMax);
    const file = await material(huge);
    expect(file.bytes.length).toBeLessThanOrEqual(MATERIAL.bytesMax);
    expect([file.width, file.height]).toEqual([2_100, 1_900]);
  });

  test("is never WebP or AVIF", async () => {
    for (const kind of ["webp", "avif"] as const) {
      expect((await material(await picture(kind))).contentType).toMatch(/^image\/(?:jpeg|png)$/);
    }
  });

  test("loses the remarks of a GIF and keeps how often it repeats", async () => {
    const gif = animatedGif(60, 40);
    const remark = Buffer.concat([
      Buffer.from([0x21, 0xfe, PLACE.length]),
      Buffer.from(PLACE),
      Buffer.from([0]),
    ]);
    const marked = Buffer.concat([gif.subarray(0, -1), remark, gif.subarray(-1)]);
    expect(Buffer.from((await material(marked)).bytes).equals(gif)).toBe(true);
    expect(gif.includes("NETSCAPE2.0")).toBe(true);
    const unended = await material(gif.subarray(0, -1));
    expect(Buffer.from(unended.bytes).equals(gif)).toBe(true);
  });
});
