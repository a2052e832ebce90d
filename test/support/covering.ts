import { isFull } from "./counts.ts";

/** What one row of a table shows, one word for each of its columns. */
export type Facets = readonly string[];

/** Pairs of facets by a number each, so that to look one up costs nothing. */
function pairsOf(rows: readonly Facets[]): number[][] {
  const numbers = new Map<string, number>();
  const numberOf = (pair: string) => {
    const known = numbers.get(pair) ?? numbers.size;
    numbers.set(pair, known);
    return known;
  };
  return rows.map((facets) =>
    facets.flatMap((one, i) =>
      facets.slice(i + 1).map((two, j) => numberOf(`${i} ${one} × ${i + 1 + j} ${two}`)),
    ),
  );
}

/** Every place of a list once, far from the one before, so that no column stands still while another goes by. */
function strides(length: number): number[] {
  const apart = (a: number, b: number): number => (b === 0 ? a : apart(b, a % b));
  let step = Math.max(1, Math.round(length * 0.618));
  while (apart(step, length) > 1) step++;
  return Array.from({ length }, (_, i) => (i * step) % length);
}

/**
 * Rows of a table of which any two facets meet in one wherever they meet in the whole table. Always the same
 * ones, in their order.
 */
export function coveringOf<Row>(rows: readonly Row[], facetsOf: (row: Row) => Facets): Row[] {
  const pairs = pairsOf(rows.map(facetsOf));
  const shown = new Set<number>();
  const taken = new Set<number>();
  const order = strides(rows.length);
  // Those that show the most first: what a row would show anew only gets less.
  for (let least = Math.max(0, ...pairs.map(({ length }) => length)); least > 0; least--) {
    for (const at of order) {
      const fresh = (pairs[at] ?? []).filter((pair) => !shown.has(pair));
      if (fresh.length < least) continue;
      taken.add(at);
      for (const pair of fresh) shown.add(pair);
    }
  }
  return rows.filter((_, at) => taken.has(at));
}

/** The whole table with the full counts, otherwise what covers it. */
export function covering<Row>(rows: readonly Row[], facetsOf: (row: Row) => Facets): Row[] {
  return isFull ? [...rows] : coveringOf(rows, facetsOf);
}
