// From numbers to places. Everything here is a pure function; the components only draw.

/** The least round number that is not below any value: 1, 2, 2.5 or 5 times a power of ten. */
export function niceMax(values: readonly number[]): number {
  const max = Math.max(0, ...values);
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= max * 0.999_999) ?? 10;
  return step * power;
}

/** Marks from 0 to `max` in equal steps. */
export function ticks(max: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => (max * index) / count);
}

/** Which of `count` labels to show so that no more than `shownMax` stand; the last always does. */
export function labelEvery(count: number, shownMax: number): (index: number) => boolean {
  const every = Math.max(1, Math.ceil(count / shownMax));
  return (index) => (count - 1 - index) % every === 0;
}

/** SVG wants few digits: a tenth of a pixel is finer than any screen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
