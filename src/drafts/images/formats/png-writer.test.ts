import { expect, test } from "bun:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { writePng } from "./png-writer.ts";

test.each([
  [1, 1],
  [7, 3],
  [300, 200],
])("a picture of %d × %d is read back to the bit", async (width, height) => {
  const pen = createCanvas(width, height).getContext("2d");
  const fade = pen.createLinearGradient(0, 0, width, height);
  fade.addColorStop(0, "#fffe01");
  fade.addColorStop(1, "#0080ff");
  pen.fillStyle = fade;
  pen.fillRect(0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  const bytes = await writePng(data, { width, height });
  expect(await new Bun.Image(bytes).metadata()).toMatchObject({ format: "png", width, height });
  const again = createCanvas(width, height).getContext("2d");
  again.drawImage(await loadImage(bytes), 0, 0);
  expect(again.getImageData(0, 0, width, height).data).toEqual(data);
});
