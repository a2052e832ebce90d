import { describe, expect, test } from "bun:test";
import {
  animatedGif,
  animatedWebp,
  bitmap,
  fromPhone,
  packedBitmap,
  picture,
  pngClaiming,
} from "../../../test/support/samples/pictures.ts";
import { BODY, fitPicture, MATERIAL } from "./fit.ts";
import { PARTS_MAX } from "./formats/anatomy.ts";
import { type ImageWorker, openImageWorker } from "./image-worker.ts";
import { PictureError } from "./picture.ts";
import { readPicture } from "./read-picture.ts";

const LIMITS = {
  image_bytes_max: 10 * 1024 * 1024,
  image_side_px_max: 10_000,
  image_pixels_max: 50_000_000,
  image_fetch_ms: 1_000,
  image_redirects_max: 3,
  image_draw_ms: 60_000,
  image_draw_idle_ms: 60_000,
};
const WORKER = openImageWorker(LIMITS);

const read = (bytes: Uint8Array, name = "image") => readPicture(bytes, name, LIMITS, WORKER);

async function refusal(work: Promise<unknown>): Promise<PictureError> {
  const thrown = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(thrown instanceof PictureError)) throw new Error(`not refused: ${thrown}`);
  return thrown;
}

describe("a picture", () => {
  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)(
    "of the kind %s is read",
    async (kind) => {
      const bytes = await picture(kind, 120, 80);
      const found = await read(bytes, `照片/holiday.${kind}`);
      expect(found).toMatchObject({ kind, width: 120, height: 80, contentType: `image/${kind}` });
      expect(found.name).toBe(`holiday.${kind === "jpeg" ? "jpg" : kind}`);
      expect(found.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
      expect(found.notes).toEqual([]);
    },
  );

  test("is read from a bitmap and from animations too", async () => {
    expect(await read(bitmap(6, 4))).toMatchObject({ kind: "bmp", width: 6, height: 4 });
    expect(await read(animatedGif(40, 30))).toMatchObject({ kind: "gif", width: 40, height: 30 });
    const still = await picture("webp", 40, 30);
    expect(await read(animatedWebp(still, 40, 30))).toMatchObject({
      kind: "webp",
      width: 40,
      height: 30,
    });
  });

  test("is named for what it is, whatever its name says", async () => {
    const found = await read(await picture("webp"), "photo.jpg");
    expect([found.name, found.contentType, found.notes]).toEqual([
      "photo.webp",
      "image/webp",
      ["renamed"],
    ]);
  });

  test("that a phone has turned has the sides that are seen", async () => {
    const found = await read(fromPhone(await picture("jpeg", 120, 80), 6));
    expect([found.width, found.height]).toEqual([80, 120]);
  });
});

test.each([
  ["a bitmap", async () => bitmap(60, 40)],
  ["a packed bitmap", async () => packedBitmap(60, 40, [0, 1])],
  ["an AVIF", () => picture("avif", 60, 40)],
  ["an animated WebP", async () => animatedWebp(await picture("webp", 60, 40), 60, 40)],
])("%s is drawn once, to be read and to be made anew", async (_what, make) => {
  let drawings = 0;
  const counting: ImageWorker = {
    ...WORKER,
    png(bytes) {
      drawings += 1;
      return WORKER.png(bytes);
    },
  };
  const found = await readPicture(await make(), "a", LIMITS, counting);
  await fitPicture(found, BODY, counting);
  await fitPicture(found, MATERIAL, counting);
  expect(drawings).toBe(1);
});

describe("what is not a whole picture is refused:", () => {
  test("0 bytes", async () => {
    expect(await refusal(read(new Uint8Array()))).toMatchObject({
      code: "image_empty",
      found: 0,
    });
  });

  test.each(["jpeg", "png", "webp", "gif"] as const)("half a %s", async (kind) => {
    const bytes = await picture(kind, 200, 200, "photo");
    const half = bytes.subarray(0, bytes.length >> 1);
    expect(await refusal(read(half))).toMatchObject({
      code: "image_truncated",
      found: half.length,
    });
  });

  test.each([
    ["of 32 bits", bitmap(40, 30)],
    ["of one bit", bitmap(40, 30, { depth: 1 })],
    ["from the top down", bitmap(40, 30, { depth: 24, topDown: true })],
    ["of the oldest kind", bitmap(40, 30, { depth: 24, oldest: true })],
  ])("a bitmap %s that lacks rows, or one byte", async (_what, bytes) => {
    expect((await read(bytes)).width).toBe(40);
    for (const length of [70, bytes.length >> 1, bytes.length - 1]) {
      const failure = await refusal(read(bytes.subarray(0, length)));
      expect(failure).toMatchObject({ code: "image_truncated", found: length });
    }
  });

  test("a packed bitmap without its end mark", async () => {
    const row = [40, 1, 0, 0];
    const rows = Array<number[]>(30).fill(row).flat();
    const whole = packedBitmap(40, 30, [...rows, 0, 1]);
    expect(await read(whole)).toMatchObject({ kind: "bmp", width: 40, height: 30 });
    for (const cut of [1, 2, 60]) {
      const failure = await refusal(read(whole.subarray(0, whole.length - cut)));
      expect(failure.code).toBe("image_truncated");
    }
    // Bytes that stand for themselves are no end mark, whatever they are.
    const absolute = packedBitmap(40, 30, [0, 4, 0, 1, 0, 1]);
    expect((await refusal(read(absolute))).code).toBe("image_truncated");
  });

  test("half an AVIF", async () => {
    const bytes = await picture("avif", 200, 200, "photo");
    const failure = await refusal(read(bytes.subarray(0, bytes.length >> 1)));
    expect(failure.code).toBe("image_damaged");
  });

  test("a JPEG whose only end is that of the small copy inside", async () => {
    const small = await picture("jpeg", 16, 16);
    const jpeg = await picture("jpeg", 200, 200, "photo");
    const inside = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), small]);
    inside.writeUInt16BE(small.length + 2, 2);
    const whole = Buffer.concat([jpeg.subarray(0, 2), inside, jpeg.subarray(2)]);
    expect((await read(whole)).width).toBe(200);
    const cut = whole.subarray(0, whole.length - 2_000);
    expect((await refusal(read(cut))).code).toBe("image_truncated");
  });

  test("a PNG with bytes that were changed", async () => {
    const bytes = await picture("png", 200, 200, "photo");
    bytes.fill(0, 2_000, 2_400);
    expect((await refusal(read(bytes))).code).toBe("image_damaged");
  });

  test.each([
    ["a page", "<!doctype html><title>404</title>"],
    ["text", "hello"],
    ["a document", "%PDF-1.7"],
    ["one byte", "x"],
  ])("%s", async (_what, text) => {
    const failure = await refusal(read(Buffer.from(text), "photo.jpg"));
    expect(failure.code).toBe("image_not_an_image");
    expect(failure.fix).not.toBe("");
  });

  test.each([
    ["svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`],
    ["svg", `\ufeff<?xml version="1.0"?><!-- x --><svg onload="alert(1)"></svg>`],
    ["heic", "\0\0\0\u0018ftypheic\0\0\0\0mif1heic"],
    ["tiff", "II*\0\0\0\0\0"],
  ])("%s, which is a picture but not taken", async (found, text) => {
    const failure = await refusal(read(Buffer.from(text), "photo.png"));
    expect(failure).toMatchObject({ code: "image_format", found });
  });
});

describe("what is too much is refused:", () => {
  test("bytes, at one above the limit", async () => {
    const jpeg = await picture("jpeg");
    const padded = Buffer.concat([jpeg, Buffer.alloc(LIMITS.image_bytes_max - jpeg.length)]);
    expect((await read(padded)).bytes.length).toBe(LIMITS.image_bytes_max);
    expect(await refusal(read(Buffer.concat([padded, Buffer.alloc(1)])))).toMatchObject({
      code: "image_too_large",
      limit: 10_485_760,
      found: 10_485_761,
    });
  });

  test("a side, at one above the limit", async () => {
    expect((await read(await picture("png", 10_000, 2))).width).toBe(10_000);
    expect(await refusal(read(await picture("png", 2, 10_001)))).toMatchObject({
      code: "image_side",
      limit: 10_000,
      found: 10_001,
    });
  });

  test("pixels that a small file claims to unpack to", async () => {
    const bomb = pngClaiming(await picture("png"), 9_000, 9_000);
    expect(bomb.length).toBeLessThan(2_000);
    expect(await refusal(read(bomb))).toMatchObject({
      code: "image_pixels",
      limit: 50_000_000,
      found: 81_000_000,
    });
    const huge = pngClaiming(await picture("png"), 400_000, 400_000);
    expect((await refusal(read(huge))).code).toMatch(/^image_(?:pixels|side|damaged)$/);
  });

  test("an AVIF whose container claims less than its pixels", async () => {
    const bytes = await picture("avif", 300, 200);
    const at = bytes.indexOf("ispe");
    bytes.writeUInt32BE(10, at + 8);
    bytes.writeUInt32BE(10, at + 12);
    const tight = { ...LIMITS, image_side_px_max: 250 };
    expect(await refusal(readPicture(bytes, "a.avif", tight, WORKER))).toMatchObject({
      code: "image_side",
      found: 300,
    });
  });
});

/** A whole picture with so many small parts before its pixels. */
async function ofManyParts(kind: "png" | "gif" | "jpeg" | "webp" | "avif", parts: number) {
  const bytes = Buffer.from(await picture(kind, 8, 8));
  const repeated = (part: number[]) => Buffer.alloc(part.length * parts, Buffer.from(part));
  const between = (at: number, part: number[]) =>
    Buffer.concat([bytes.subarray(0, at), repeated(part), bytes.subarray(at)]);
  // An empty tEXt behind the header, whose checksum nobody looks at.
  if (kind === "png") return between(33, [0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0]);
  if (kind === "jpeg") return between(2, [0xff, 0xfe, 0, 2]);
  if (kind === "gif") {
    const flags = bytes[10] ?? 0;
    return between(13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0), [0x21, 0xfe, 0]);
  }
  const end = bytes.length;
  if (kind === "avif") return between(end, [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]);
  const webp = between(end, [0x4e, 0x4f, 0x4e, 0x45, 0, 0, 0, 0]);
  webp.writeUInt32LE(webp.length - 8, 4);
  return webp;
}

describe.each(["png", "gif", "jpeg", "webp", "avif"] as const)("a %s of many parts", (kind) => {
  test("is refused above the limit, while others are served", async () => {
    const bytes = await ofManyParts(kind, PARTS_MAX + 1);
    let settled = false;
    const refused = refusal(read(bytes)).finally(() => {
      settled = true;
    });
    // What is read here would be refused before the loop turns once.
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    expect(await refused).toMatchObject({ code: "image_parts", limit: PARTS_MAX });
  });

  test("is read below the limit", async () => {
    expect(await read(await ofManyParts(kind, 5_000))).toMatchObject({ width: 8, height: 8 });
  });
});

test("the parts of a picture are read in a thread, once for all its forms", async () => {
  let inspections = 0;
  const counting: ImageWorker = {
    ...WORKER,
    inspect(kind, bytes) {
      inspections += 1;
      return WORKER.inspect(kind, bytes);
    },
  };
  const found = await readPicture(await picture("png", 120, 80), "a", LIMITS, counting);
  await fitPicture(found, BODY, counting);
  await fitPicture(found, MATERIAL, counting);
  expect(inspections).toBe(1);
});
