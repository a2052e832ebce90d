// From numbers to places. Everything here is a pure function; the components only draw.

/** More marks than this on an axis are noise. */
const STEPS_MAX = 5;
/** What a float loses in an addition must not become a mark of its own, nor a digit of one. */
const SLACK = 1e-6;
const DIGITS = 12;

const tidy = (value: number) => Number(value.toPrecision(DIGITS));

/** A round number of which a few make the largest value: 1, 2 or 5 times a power of ten. */
function stepOf(values: readonly number[]): number {
  const max = Math.max(0, ...values);
  if (max === 0) return 1;
  const least = (max / STEPS_MAX) * (1 - SLACK);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = tidy(([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power);
  // Of what is counted in whole numbers there are no halves.
  return values.every(Number.isInteger) ? Math.max(1, step) : step;
}

/** The marks of an axis: round numbers in equal steps from 0 to one that is not below any value. */
export function marksOf(values: readonly number[]): number[] {
  const step = stepOf(values);
  const count = Math.max(1, Math.ceil(Math.max(0, ...values) / step - SLACK));
  return Array.from({ length: count + 1 }, (_, index) => tidy(index * step));
}

/** Where such an axis ends. */
export function niceMax(values: readonly number[]): number {
  return marksOf(values).at(-1) ?? 1;
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
