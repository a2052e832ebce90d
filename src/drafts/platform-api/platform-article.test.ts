import { expect, test } from "bun:test";
import type { CompiledArticle } from "../article/compile.ts";
import type { CropBoxes } from "../contract/article.ts";
import { toPlatformArticle } from "./platform-article.ts";

const compiled: CompiledArticle = {
  doc: { type: "news", title: "t", source: { format: "markdown", text: "x" } },
  ...{ title: "t", author: "", digest: "", theme: undefined, content: "<p>x</p>" },
  ...{ bodyImages: [], notes: [], tooComplex: false, tooLong: undefined },
};

function sent(crops: CropBoxes | undefined, coverSize?: { width: number; height: number }) {
  const pictures = { coverMediaId: "m", coverSize, crops, imageMediaIds: [] };
  const article = toPlatformArticle(compiled, { content: "<p>x</p>", ...pictures }, true);
  const { pic_crop_235_1: wide, pic_crop_1_1: square, cover_info } = article;
  const ratios = cover_info?.crop_percent_list?.map(({ ratio }) => ratio);
  return { wide, square, ratios };
}

const box = { x1: 0.1, y1: 0, x2: 0.9, y2: 1 };
const written = "0.1_0_0.9_1";

test("a crop is sent without the other where nobody knows the middle of the cover", () => {
  expect(sent({ wide: box })).toEqual({ wide: written, square: undefined, ratios: ["2.35_1"] });
  expect(sent({ square: box })).toEqual({ wide: undefined, square: written, ratios: ["1_1"] });
  expect(sent({ wide: box, square: box }).ratios).toEqual(["2.35_1", "1_1"]);
  expect(sent(undefined)).toEqual({ wide: undefined, square: undefined, ratios: undefined });
});

test("the middle of a cover that is known stands for a crop that was not given", () => {
  const size = { width: 500, height: 500 };
  expect(sent({ wide: box }, size)).toMatchObject({ wide: written, square: "0_0_1_1" });
  expect(sent({}, size).ratios).toEqual(["2.35_1", "1_1"]);
});
