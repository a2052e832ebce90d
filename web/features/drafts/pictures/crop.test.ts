import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CropBox } from "../../../../src/drafts/contract/article.ts";
import { CUTS, centreCut, centreCuts, moveCut, RATIOS, resizeCut, type Size } from "./crop.ts";

const SIZE: Size = { width: 1600, height: 900 };

function ratioOf(box: CropBox, { width, height }: Size): number {
  return ((box.x2 - box.x1) * width) / ((box.y2 - box.y1) * height);
}

describe("the cuts of a cover", () => {
  test("are as large as they can be around the middle", () => {
    expect(centreCuts(SIZE)).toEqual({
      wide: { x1: 0, y1: 0.121749, x2: 1, y2: 0.878251 },
      square: { x1: 0.21875, y1: 0, x2: 0.78125, y2: 1 },
    });
  });

  test("stop at the edges when they are moved", () => {
    const square = centreCut("square", SIZE);
    expect(moveCut(square, 9, 9)).toEqual({ x1: 0.4375, y1: 0, x2: 1, y2: 1 });
    expect(moveCut(square, -9, 0).x1).toBe(0);
  });

  test("keep the corner that stays when another is pulled", () => {
    const box = { x1: 0.2, y1: 0.2, x2: 0.65, y2: 1 };
    const smaller = resizeCut("square", box, SIZE, 0.225, { x: 0, y: 0 });
    expect(smaller).toEqual({ x1: 0.2, y1: 0.2, x2: 0.425, y2: 0.6 });
  });

  test("stay inside of the picture and keep their shape, whatever is done to them", () => {
    const sides = fc.integer({ min: 200, max: 6000 });
    const share = fc.double({ min: -2, max: 2, noNaN: true });
    const picture = fc.record({ width: sides, height: sides });
    fc.assert(
      fc.property(picture, fc.constantFrom(...CUTS), share, share, share, (size, cut, a, b, c) => {
        const box = resizeCut(cut, moveCut(centreCut(cut, size), a, b), size, c);
        expect(Math.min(box.x1, box.y1)).toBeGreaterThanOrEqual(0);
        expect(Math.max(box.x2, box.y2)).toBeLessThanOrEqual(1);
        expect(ratioOf(box, size) / RATIOS[cut]).toBeCloseTo(1, 2);
      }),
    );
  });
});
