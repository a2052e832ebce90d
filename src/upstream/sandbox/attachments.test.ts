import { describe, expect, test } from "bun:test";
import { attachmentTokens, describeAttachment, readFile, readImage } from "./attachments.ts";

function dataUrl(type: string, bytes: readonly number[]): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];

describe("attachments", () => {
  test("the size of a PNG, a GIF and a JPEG is read from the header", () => {
    const png = readImage(dataUrl("image/png", [...PNG, 0, 0, 1, 0, 0, 0, 0, 32]));
    expect(png.size).toEqual({ width: 256, height: 32 });
    const gif = readImage(dataUrl("image/gif", [71, 73, 70, 56, 57, 97, 10, 0, 20, 0]));
    expect(gif.size).toEqual({ width: 10, height: 20 });
    const frame = [0xff, 0xc0, 0, 17, 8, 0, 48, 0, 64];
    const jpeg = readImage(dataUrl("image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...frame]));
    expect(jpeg.size).toEqual({ width: 64, height: 48 });
    expect(describeAttachment(jpeg)).toBe("an image/jpeg of 64×48 pixels");
  });

  test("a broken header, an address and a file are described without a size", () => {
    expect(readImage(dataUrl("image/png", PNG)).size).toBeNull();
    expect(describeAttachment(readImage("https://a.example/b.jpg?x=1"))).toBe("an image/jpeg");
    const file = readFile({ filename: "a.pdf", file_data: dataUrl("application/pdf", [1, 2, 3]) });
    expect(describeAttachment(file)).toBe("an application/pdf named a.pdf of 3 bytes");
  });

  test("tokens do not grow with the bytes of a picture", () => {
    const small = readImage(dataUrl("image/png", [...PNG, 0, 0, 0, 9, 0, 0, 0, 9]));
    const heavy = readImage(dataUrl("image/png", [...PNG, 0, 0, 0, 9, 0, 0, 0, 9, ...PNG, ...PNG]));
    expect(attachmentTokens(small)).toBe(attachmentTokens(heavy));
  });
});
