import { niceMax, round } from "./scale.ts";

/** One value for each category, in the order of `categories`. */
export interface Series {
  readonly id: string;
  readonly label: string;
  readonly values: readonly number[];
  /** Words for the values where a number would lose digits, such as money. */
  readonly texts?: readonly string[];
  /** Drawn in the colour of failures. */
  readonly isBad?: boolean;
}

export interface Bar {
  readonly series: number;
  readonly category: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

const GAP_SHARE = 0.28;
const BAR_WIDTH_MAX = 36;

/** The height of each stack in the data's own unit. */
export function stackTotals(categories: number, series: readonly Series[]): number[] {
  return Array.from({ length: categories }, (_, index) =>
    series.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0),
  );
}

/** Where every piece of every stack stands. Pieces of nothing are left out. */
export function stackedBars(categories: number, series: readonly Series[], frame: Frame): Bar[] {
  const max = niceMax(stackTotals(categories, series));
  const slot = frame.width / Math.max(1, categories);
  const width = Math.min(BAR_WIDTH_MAX, slot * (1 - GAP_SHARE));
  const bars: Bar[] = [];
  for (let category = 0; category < categories; category++) {
    let below = 0;
    for (const [index, { values }] of series.entries()) {
      const value = Math.max(0, values[category] ?? 0);
      if (value === 0) continue;
      const top = frame.height * (1 - (below + value) / max);
      const bottom = frame.height * (1 - below / max);
      bars.push({
        series: index,
        category,
        x: round(slot * category + (slot - width) / 2),
        y: round(top),
        width: round(width),
        height: round(bottom - top),
      });
      below += value;
    }
  }
  return bars;
}
