import { describe, expect, test } from "bun:test";
import { attachmentTokens, describeAttachment, readFile, readImage } from "./attachments.ts";

function dataUrl(type: string, bytes: readonly number[]): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];

describe("attachments", () => {
  test("the size of a PNG is read from the header", () => {
    const png = readImage(dataUrl("image/png", [...PNG, 0, 0, 1, 0, 0, 0, 0, 32]));
    expect(png.size).toEqual({ width: 256, height: 32 });
    expect(describeAttachment(png)).toBe("an image/png of 256×32 pixels");
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
