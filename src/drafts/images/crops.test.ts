import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { centreCrops, cropStrings } from "./crops.ts";
import { PictureError } from "./picture.ts";

describe("crops around the middle", () => {
  test("take the whole height of what is wider and the whole width of what is higher", () => {
    expect(cropStrings(centreCrops(900, 383))).toEqual({
      pic_crop_235_1: "0_0.000028_1_0.999972",
      pic_crop_1_1: "0.287222_0_0.712778_1",
      cover_info: {
        crop_percent_list: [
          { ratio: "2.35_1", x1: "0", y1: "0.000028", x2: "1", y2: "0.999972" },
          { ratio: "1_1", x1: "0.287222", y1: "0", x2: "0.712778", y2: "1" },
        ],
      },
    });
    expect(cropStrings(centreCrops(500, 500)).pic_crop_1_1).toBe("0_0_1_1");
    expect(cropStrings(centreCrops(2_350, 1_000)).pic_crop_235_1).toBe("0_0_1_1");
  });

  test("of every picture lie in it, have the shape, and are written with six decimals at most", () => {
    const side = fc.integer({ min: 50, max: 10_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const crops = centreCrops(width, height);
        const fields = cropStrings(crops);
        for (const [text, ratio] of [
          [fields.pic_crop_235_1 ?? "", 2.35],
          [fields.pic_crop_1_1 ?? "", 1],
        ] as const) {
          expect(text).toMatch(/^(?:(?:0|1|0\.\d{1,6})(?:_|$)){4}$/);
          const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = text.split("_").map(Number);
          expect(x1 >= 0 && x1 < x2 && x2 <= 1 && y1 >= 0 && y1 < y2 && y2 <= 1).toBe(true);
          const found = ((x2 - x1) * width) / ((y2 - y1) * height);
          expect(Math.abs(found / ratio - 1)).toBeLessThan(0.001);
        }
      }),
    );
  });
});

describe("a crop of somebody's own", () => {
  const whole = { x1: 0, y1: 0, x2: 1, y2: 1 };

  test("is written without exponents or more decimals than allowed", () => {
    const wide = { x1: 1e-7, y1: 0.12345678, x2: 0.9999999, y2: 0.5 };
    expect(cropStrings({ wide, square: whole }).pic_crop_235_1).toBe("0_0.123457_1_0.5");
  });

  test.each([
    { x1: 0.5, y1: 0, x2: 0.5, y2: 1 },
    { x1: 0.9, y1: 0, x2: 0.1, y2: 1 },
    { x1: -0.1, y1: 0, x2: 1, y2: 1 },
    { x1: 0, y1: 0, x2: 1.1, y2: 1 },
    { x1: 0, y1: Number.NaN, x2: 1, y2: 1 },
    { x1: 0.1, y1: 0, x2: 0.1 + 1e-9, y2: 1 },
  ])("is refused as %p", (square) => {
    expect(() => cropStrings({ wide: whole, square })).toThrow(PictureError);
  });
});
