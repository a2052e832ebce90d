import type { Frame } from "./bars.ts";
import { round } from "./scale.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where each value stands; one that is absent has no place. */
export function linePoints(
  values: readonly (number | null)[],
  max: number,
  { width, height }: Frame,
): (Point | null)[] {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const start = values.length > 1 ? 0 : width / 2;
  return values.map((value, index) =>
    value === null
      ? null
      : { x: round(start + step * index), y: round(height * (1 - Math.min(1, value / max))) },
  );
}

/** The runs of neighbours: a gap in the data is a gap in the line. */
function runsOf(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (const point of [...points, null]) {
    if (point) run.push(point);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  return runs;
}

const move = (points: readonly Point[]) =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");

export function linePath(points: readonly (Point | null)[]): string {
  return runsOf(points).map(move).join("");
}

/** The same, closed along the ground. */
export function areaPath(points: readonly (Point | null)[], height: number): string {
  return runsOf(points)
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)];
      return first && last ? `${move(run)}L${last.x} ${height}L${first.x} ${height}Z` : "";
    })
    .join("");
}
