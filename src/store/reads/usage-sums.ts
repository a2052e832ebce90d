import type { Cell } from "../rows.ts";

/** What the tables of usage add up, in each of them. */
export const SUM_COLUMNS = [
  "requests",
  "failures",
  "fresh",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "output",
  "cost",
] as const;

export function listed(each: (column: (typeof SUM_COLUMNS)[number]) => string): string {
  return SUM_COLUMNS.map(each).join(", ");
}

/** What takes a part out of a sum again. */
export function negated(part: readonly (number | bigint)[]): (number | bigint)[] {
  return part.map((sum) => (typeof sum === "bigint" ? -sum : 0 - sum));
}

/** An amount of money stays one, whatever is added to it; what is counted are numbers. */
function added(sum: number | bigint, part: number | bigint): number | bigint {
  if (typeof part === "number") return Number(sum) + part;
  return typeof sum === "bigint" ? sum + part : BigInt(sum) + part;
}

/** Sums of receipts under some names, so that each row of them is written once per batch. */
export class NamedSums {
  readonly #byName = new Map<string, { names: readonly Cell[]; sums: (number | bigint)[] }>();

  /** No name but one may have a line break in it, or two could be taken for others. */
  protected addTo(names: readonly Cell[], more: readonly (number | bigint)[]): void {
    const name = names.join("\n");
    const sums = this.#byName.get(name)?.sums;
    if (!sums) {
      this.#byName.set(name, { names, sums: [...more] });
      return;
    }
    for (let i = 0; i < more.length; i++) sums[i] = added(sums[i] ?? 0, more[i] ?? 0);
  }

  /** Names and sums, as cells in the order of the columns. */
  *all(): Generator<readonly Cell[]> {
    for (const { names, sums } of this.#byName.values()) yield [...names, ...sums];
  }
}
