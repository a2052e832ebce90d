import type { ArticleDoc, CropBox } from "../contract/article.ts";
import type { Finding } from "./preflight.ts";

const RATIOS = { wide: 2.35, square: 1 } as const;
const TOLERANCE = 0.01;

function sidesOf({ x1, y1, x2, y2 }: CropBox): string {
  return [x1, y1, x2, y2].join("_");
}

function boxProblem(box: CropBox, field: string): Finding | undefined {
  const { x1, y1, x2, y2 } = box;
  const sides = [x1, y1, x2, y2];
  const problem = (code: string, message: string, limit: string): Finding => ({
    severity: "error",
    code,
    field,
    limit,
    found: sidesOf(box),
    message,
    fix: { kind: "centre_crop" },
  });
  if (!sides.every((side) => side >= 0 && side <= 1)) {
    return problem("crop_range", "The sides of a crop lie between 0 and 1.", "0 to 1");
  }
  if (!(x1 < x2 && y1 < y2)) {
    return problem("crop_order", "A crop goes from its top left to its bottom right.", "x1 < x2");
  }
  return undefined;
}

/** Crops that are none; they are rounded when they are written, so precision is no matter. Whether they have the right shape shows once the picture is known. */
export function cropProblems({ cover }: ArticleDoc): Finding[] {
  return Object.entries(cover?.crops ?? {}).flatMap(([name, box]) => {
    const problem = box && boxProblem(box, `cover.crops.${name}`);
    return problem ? [problem] : [];
  });
}

/** Crops whose shape is not the platform's, for a cover of this size. */
export function ratioProblems(
  { cover }: ArticleDoc,
  size: { readonly width: number; readonly height: number },
): Finding[] {
  return (["wide", "square"] as const).flatMap((name): Finding[] => {
    const box = cover?.crops?.[name];
    if (!box) return [];
    const found = ((box.x2 - box.x1) * size.width) / ((box.y2 - box.y1) * size.height);
    const limit = RATIOS[name];
    if (Math.abs(found / limit - 1) <= TOLERANCE) return [];
    return [
      {
        severity: "warning",
        code: "crop_ratio",
        field: `cover.crops.${name}`,
        limit,
        found: Number(found.toFixed(3)),
        message: `This crop is ${found.toFixed(2)} to 1; the platform shows ${limit} to 1.`,
        fix: { kind: "centre_crop" },
      },
    ];
  });
}
