import type { PlatformArticle } from "../../wechat/article.ts";
import type { CropBox } from "../contract/article.ts";
import { PictureError } from "./picture.ts";

/** The two cuts that the platform shows a cover in: at the head of a list, and in the small. */
interface CoverCrops {
  readonly wide: CropBox;
  readonly square: CropBox;
}

const WIDE_RATIO = 2.35;
const SQUARE_RATIO = 1;
const DECIMALS = 6;

/** To the precision of the wire, so that what is drawn is what is sent. */
function exact(value: number): number {
  return Number(Math.min(1, Math.max(0, value)).toFixed(DECIMALS));
}

function centred(width: number, height: number, ratio: number): CropBox {
  const across = Math.min(1, (height * ratio) / width);
  const down = Math.min(1, width / (ratio * height));
  return {
    x1: exact((1 - across) / 2),
    y1: exact((1 - down) / 2),
    x2: exact((1 + across) / 2),
    y2: exact((1 + down) / 2),
  };
}

/** The largest cut of each shape around the middle. */
export function centreCrops(width: number, height: number): CoverCrops {
  return {
    wide: centred(width, height, WIDE_RATIO),
    square: centred(width, height, SQUARE_RATIO),
  };
}

function checkBox({ x1, y1, x2, y2 }: CropBox): void {
  const inside = [x1, y1, x2, y2].every((value) => value >= 0 && value <= 1);
  if (inside && exact(x1) < exact(x2) && exact(y1) < exact(y2)) return;
  const fix = "Leave the crop out to cut around the middle.";
  throw new PictureError("image_crop", "The crop is not a part of the picture.", fix, {
    limit: "0 ≤ x1 < x2 ≤ 1 and 0 ≤ y1 < y2 ≤ 1",
    found: [x1, y1, x2, y2].join("_"),
  });
}

/** 0.5 → "0.5", 1 → "1", never with an exponent. */
function written(value: number): string {
  return exact(value)
    .toFixed(DECIMALS)
    .replace(/\.?0+$/, "");
}

function writtenBox(box: CropBox): readonly [string, string, string, string] {
  checkBox(box);
  return [written(box.x1), written(box.y1), written(box.x2), written(box.y2)];
}

function percentCrop(ratio: "2.35_1" | "1_1", box: CropBox) {
  const [x1, y1, x2, y2] = writtenBox(box);
  return { ratio, x1, y1, x2, y2 };
}

/** Both spellings of each cut that there is, as the wire has them: the platform takes one without the other. */
export function cropStrings({ wide, square }: Partial<CoverCrops>): Partial<PlatformArticle> {
  const list = [
    ...(wide ? [percentCrop("2.35_1", wide)] : []),
    ...(square ? [percentCrop("1_1", square)] : []),
  ];
  return {
    ...(wide && { pic_crop_235_1: writtenBox(wide).join("_") }),
    ...(square && { pic_crop_1_1: writtenBox(square).join("_") }),
    ...(list.length > 0 && { cover_info: { crop_percent_list: list } }),
  };
}
