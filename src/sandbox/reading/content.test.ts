import { describe, expect, test } from "bun:test";
import type { JsonRecord } from "../json.ts";
import { attachmentTokens, describeAttachment, readContent } from "./content.ts";

function dataUrl(type: string, bytes: readonly number[]): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

function attached(part: JsonRecord) {
  const [attachment] = readContent([part], "input").attachments;
  if (attachment === undefined) throw new Error("nothing is attached");
  return attachment;
}

const image = (url: string) => attached({ type: "input_image", image_url: url });
const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];

describe("attachments", () => {
  test("the size of a PNG is read from the header, on both wires", () => {
    const url = dataUrl("image/png", [...PNG, 0, 0, 1, 0, 0, 0, 0, 32]);
    expect(image(url).size).toEqual({ width: 256, height: 32 });
    const chat = attached({ type: "image_url", image_url: { url } });
    expect(describeAttachment(chat)).toBe("an image/png of 256×32 pixels");
  });

  test("a broken header, an address, files and sounds are described without a size", () => {
    expect(image(dataUrl("image/png", PNG)).size).toBeNull();
    expect(describeAttachment(image("https://a.example/b.jpg?x=1"))).toBe("an image");
    const file = { filename: "a.pdf", file_data: dataUrl("application/pdf", [1, 2, 3]) };
    for (const part of [
      { type: "input_file", ...file },
      { type: "file", file },
    ]) {
      expect(describeAttachment(attached(part))).toBe("an application/pdf named a.pdf of 3 bytes");
    }
    const sound = { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } };
    expect(describeAttachment(attached(sound))).toBe("an audio/mp3 of 3 bytes");
  });

  test("tokens do not grow with the bytes of a picture", () => {
    const small = image(dataUrl("image/png", [...PNG, 0, 0, 0, 9, 0, 0, 0, 9]));
    const heavy = image(dataUrl("image/png", [...PNG, 0, 0, 0, 9, 0, 0, 0, 9, ...PNG, ...PNG]));
    expect(attachmentTokens(small)).toBe(attachmentTokens(heavy));
  });
});
