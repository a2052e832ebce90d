// The arithmetic of the two cuts of a cover. A box is in shares of the picture, so a cut of a given
// shape has sides whose ratio depends on the picture's own shape.
import type { CropBox, CropBoxes } from "../../../../src/drafts/contract/article.ts";

export const CUTS = ["wide", "square"] as const;
export type Cut = (typeof CUTS)[number];

/** What each is called. */
export const CUT_LABELS = { wide: "drafts.coverWide", square: "drafts.coverSquare" } as const;

export const RATIOS: Readonly<Record<Cut, number>> = { wide: 2.35, square: 1 };

/** Smaller ones show nothing but pixels. */
const WIDTH_MIN = 0.1;
const DECIMALS = 6;

export interface Size {
  readonly width: number;
  readonly height: number;
}

function rounded(value: number): number {
  return Number(Math.min(1, Math.max(0, value)).toFixed(DECIMALS));
}

function boxAt(x: number, y: number, width: number, height: number): CropBox {
  // Sides are moved back inside before they are rounded, so that the shape stays.
  const left = Math.min(Math.max(0, x), 1 - width);
  const top = Math.min(Math.max(0, y), 1 - height);
  return {
    x1: rounded(left),
    y1: rounded(top),
    x2: rounded(left + width),
    y2: rounded(top + height),
  };
}

/** Width of a cut over its height, both in shares of the picture. */
function shapeOf(cut: Cut, { width, height }: Size): number {
  return (RATIOS[cut] * height) / width;
}

/** The widest that a cut can be, as a share of the picture. */
export function widestOf(cut: Cut, size: Size): number {
  return Math.min(1, shapeOf(cut, size));
}

/** The largest cut around the middle. */
export function centreCut(cut: Cut, size: Size): CropBox {
  const shape = shapeOf(cut, size);
  const width = Math.min(1, shape);
  const height = width / shape;
  return boxAt((1 - width) / 2, (1 - height) / 2, width, height);
}

export function centreCuts(size: Size): Required<CropBoxes> {
  return { wide: centreCut("wide", size), square: centreCut("square", size) };
}

export function moveCut(box: CropBox, right: number, down: number): CropBox {
  return boxAt(box.x1 + right, box.y1 + down, box.x2 - box.x1, box.y2 - box.y1);
}

/** The same shape in another width; the point that stays is by default the middle. */
export function resizeCut(
  cut: Cut,
  box: CropBox,
  size: Size,
  wanted: number,
  fixed: { readonly x: number; readonly y: number } = { x: 0.5, y: 0.5 },
): CropBox {
  const shape = shapeOf(cut, size);
  const least = Math.min(WIDTH_MIN, widestOf(cut, size));
  const width = Math.min(widestOf(cut, size), Math.max(least, wanted));
  const height = width / shape;
  const x = box.x1 + (box.x2 - box.x1) * fixed.x;
  const y = box.y1 + (box.y2 - box.y1) * fixed.y;
  return boxAt(x - width * fixed.x, y - height * fixed.y, width, height);
}
