import { describe, expect, test } from "bun:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import {
  animatedGif,
  animatedPng,
  animatedWebp,
  PLACE,
  picture,
  pngOf,
  swappedJpeg,
} from "../../../test/support/samples/pictures.ts";
import { MATERIAL } from "./fit.ts";
import { openImages } from "./images.ts";

const LIMITS = {
  image_bytes_max: 64 * 1024 * 1024,
  image_side_px_max: 10_000,
  image_pixels_max: 50_000_000,
  image_fetch_ms: 1_000,
  image_redirects_max: 3,
  image_draw_ms: 60_000,
  image_draw_idle_ms: 60_000,
};
const FILTER = { allowPrivate: false };
const images = openImages(LIMITS, FILTER)("acc_1");

const body = async (bytes: Uint8Array, name = "a") =>
  images.forBody(await images.load({ bytes, name }));

async function still(colour: string, width: number, height: number): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, width, height);
  return canvas.encode("png");
}

interface GifStep {
  readonly delayMs: number;
  readonly dispose: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** A GIF of this step alone. */
  readonly alone: Buffer;
}

/** Reads by the letter of the format, as no code of the project does. */
function stepsOf(gif: Uint8Array): GifStep[] {
  const bytes = Buffer.from(gif);
  const table = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const head = bytes.subarray(0, 13 + table(bytes[10] ?? 0));
  const steps: GifStep[] = [];
  let control = Buffer.alloc(0);
  const chain = (from: number) => {
    let at = from;
    while (bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    return at + 1;
  };
  for (let at = head.length; bytes[at] !== 0x3b; ) {
    const isImage = bytes[at] === 0x2c;
    const end = isImage ? chain(at + 11 + table(bytes[at + 9] ?? 0)) : chain(at + 2);
    if (bytes[at + 1] === 0xf9 && !isImage) control = bytes.subarray(at, end);
    if (isImage) {
      steps.push({
        delayMs: control.readUInt16LE(4) * 10,
        dispose: ((control[3] ?? 0) >> 2) & 7,
        left: bytes.readUInt16LE(at + 1),
        top: bytes.readUInt16LE(at + 3),
        width: bytes.readUInt16LE(at + 5),
        height: bytes.readUInt16LE(at + 7),
        alone: Buffer.concat([head, control, bytes.subarray(at, end), Buffer.from([0x3b])]),
      });
    }
    at = end;
  }
  return steps;
}

/** The pixel that is seen at each step. */
async function seenAt(gif: Uint8Array, x: number, y: number): Promise<string[]> {
  const whole = Buffer.from(gif);
  const canvas = createCanvas(whole.readUInt16LE(6), whole.readUInt16LE(8));
  const pen = canvas.getContext("2d");
  const seen: string[] = [];
  for (const { alone, left, top, width, height, dispose } of stepsOf(gif)) {
    pen.drawImage(await loadImage(alone), 0, 0);
    const [red = 0, green = 0, blue = 0, alpha] = pen.getImageData(x, y, 1, 1).data;
    const strongest = Math.max(red, green, blue);
    const name = red === strongest ? "red" : green === strongest ? "green" : "blue";
    seen.push(alpha === 0 ? "nothing" : Math.min(red, green, blue) > 240 ? "white" : name);
    if (dispose === 2) pen.clearRect(left, top, width, height);
  }
  return seen;
}

describe("an animation inside of an article", () => {
  test("stays as it is when it is a GIF, whatever its size below 10 MB", async () => {
    const small = animatedGif(60, 40);
    expect(Buffer.from((await body(small)).bytes).equals(small)).toBe(true);
    const remark = Buffer.concat([Buffer.from([0x21, 0xfe, 255]), Buffer.alloc(255, "x")]);
    const [control, pixels] = [small.subarray(0, -1), Buffer.from([0x3b])];
    const frame = small.subarray(small.indexOf(Buffer.from([0x21, 0xf9])), -1);
    const times = Math.ceil((2 * 1024 * 1024) / frame.length);
    const large = Buffer.concat([control, ...Array<Buffer>(times).fill(frame), pixels]);
    const file = await body(large, "cat.gif");
    expect([file.contentType, file.name, file.notes]).toEqual(["image/gif", "cat.gif", []]);
    expect(file.bytes.length).toBeGreaterThan(2 * 1024 * 1024);
    const marked = Buffer.concat([control, remark, Buffer.from([0]), pixels]);
    expect((await body(marked)).notes).toEqual(["metadata_removed"]);
  });

  test("is shown by its first frame, and says so, when it is too large a GIF", async () => {
    const small = animatedGif(600, 400);
    const frame = small.subarray(small.indexOf(Buffer.from([0x21, 0xf9])), -1);
    const times = Math.ceil((MATERIAL.bytesMax + 1) / frame.length);
    const parts = [small.subarray(0, -1), ...Array<Buffer>(times).fill(frame), small.subarray(-1)];
    const file = await body(Buffer.concat(parts));
    expect(file.contentType).toBe("image/png");
    expect(file.notes).toContain("first_frame");
  });

  test("is a GIF that moves when it was an animated PNG or WebP", async () => {
    const png = await body(await animatedPng(60, 40), "a.png");
    expect([png.name, png.contentType, png.width, png.height]).toEqual([
      "a.gif",
      "image/gif",
      60,
      40,
    ]);
    expect(png.notes).toEqual(["reencoded"]);
    expect(await seenAt(png.bytes, 50, 20)).toEqual(["red", "nothing"]);
    expect(await seenAt(png.bytes, 10, 20)).toEqual(["red", "red"]);
    const webp = await body(animatedWebp(await picture("webp", 60, 40), 60, 40));
    expect([webp.contentType, stepsOf(webp.bytes).length]).toEqual(["image/gif", 2]);
    expect(await seenAt(webp.bytes, 50, 20)).toEqual(["red", "red"]);
  });

  test("keeps its places, its times and what it leaves behind", async () => {
    const [red, green, blue] = [
      await still("#d03020", 60, 40),
      await still("#20d030", 20, 10),
      await still("#2030d0", 20, 10),
    ];
    const file = await body(
      pngOf([
        { png: red, delayMs: 70 },
        { png: green, x: 30, y: 10, dispose: 2, delayMs: 1_500 },
        { png: blue, x: 0, y: 0, delayMs: 5 },
        { png: green, x: 40, y: 30, delayMs: 125 },
      ]),
    );
    const steps = stepsOf(file.bytes);
    expect(steps.map(({ delayMs }) => delayMs)).toEqual([70, 1_500, 20, 130]);
    expect(await seenAt(file.bytes, 35, 15)).toEqual(["red", "green", "red", "red"]);
    expect(await seenAt(file.bytes, 5, 5)).toEqual(["red", "red", "blue", "blue"]);
    expect(await seenAt(file.bytes, 50, 35)).toEqual(["red", "red", "red", "green"]);
    // Only what changes is written.
    expect(steps.slice(1).every(({ width, height }) => width * height < 60 * 40)).toBe(true);
    expect(Buffer.from(file.bytes).includes("NETSCAPE2.0")).toBe(true);
  });

  test("that is played once is played once", async () => {
    const [red, green] = [await still("#d03020", 60, 40), await still("#20d030", 60, 40)];
    const once = await body(pngOf([{ png: red }, { png: green }], 1));
    expect(Buffer.from(once.bytes).includes("NETSCAPE2.0")).toBe(false);
    expect(await seenAt(once.bytes, 5, 5)).toEqual(["red", "green"]);
  });

  test("is made as small as it is shown, and no smaller than can be seen", async () => {
    const stills = ["#d03020", "#20d030"].map((colour) => still(colour, 1_440, 900));
    const pngs = await Promise.all(stills);
    const file = await body(pngOf(pngs.map((png) => ({ png }))));
    expect([file.width, file.height, file.notes]).toEqual([720, 450, ["reencoded", "resized"]]);
    const [png = Buffer.alloc(0)] = pngs;
    const endless = await body(pngOf(Array.from({ length: 1_001 }, () => ({ png }))));
    expect([endless.contentType, endless.notes.at(-1)]).toEqual(["image/png", "first_frame"]);
  });

  test("whose frames do not lie on its canvas is shown by its first", async () => {
    const [red, green] = [await still("#d03020", 60, 40), await still("#20d030", 60, 40)];
    const outside = await body(pngOf([{ png: red }, { png: green, x: 1 }]));
    expect(outside.notes).toContain("first_frame");
    // Of a frame that is larger inside than it says, not even the first is shown.
    const webp = animatedWebp(await picture("webp", 600, 400), 60, 40);
    expect(body(webp)).rejects.toMatchObject({ code: "image_damaged" });
  });

  test("that takes longer than it may is shown by its first frame", async () => {
    const hasty = openImages({ ...LIMITS, image_draw_ms: 1 }, FILTER)("acc_1");
    const picture = await images.load({ bytes: await animatedPng(600, 400) });
    for (let time = 0; time < 3; time += 1) {
      expect((await hasty.forBody(picture)).notes).toContain("first_frame");
    }
  });

  test("says nothing of where it was", async () => {
    const png = pngOf([
      { png: await still("#d03020", 60, 40) },
      { png: await still("#fff", 60, 40) },
    ]);
    const text = Buffer.from(`Comment\0${PLACE}`, "latin1");
    const named = Buffer.concat([Buffer.from("tEXt"), text]);
    const part = Buffer.alloc(named.length + 8);
    part.writeUInt32BE(text.length, 0);
    named.copy(part, 4);
    part.writeUInt32BE(Bun.hash.crc32(named), named.length + 4);
    const file = await body(Buffer.concat([png.subarray(0, 33), part, png.subarray(33)]));
    expect(file.contentType).toBe("image/gif");
    expect(Buffer.from(file.bytes).includes(PLACE)).toBe(false);
  });
});

test("a picture that takes too long to draw is refused as such", async () => {
  const hasty = openImages({ ...LIMITS, image_draw_ms: 1 }, FILTER)("acc_1");
  const load = hasty.load({ bytes: await picture("avif", 600, 400) });
  await expect(load).rejects.toMatchObject({ code: "image_too_slow", found: "avif" });
  const photo = await images.load({ bytes: swappedJpeg(await picture("jpeg", 600, 400)) });
  await expect(hasty.forBody(photo)).rejects.toMatchObject({ code: "image_too_slow" });
});

test("a cover may move too", async () => {
  const file = await images.forMaterial(await images.load({ bytes: await animatedPng(60, 40) }));
  expect(file.contentType).toBe("image/gif");
});
