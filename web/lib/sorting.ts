import { toUnits } from "./decimal.ts";

/** What a row is sorted by in a column; nothing stands at the end, in whichever direction. */
export type SortValue = string | number | bigint | null;

export interface Sort {
  /** The id of a column. */
  readonly by: string;
  readonly descending: boolean;
}

/** As it stands in an address: `cost`, `-cost`. */
export function readSort(text: string | undefined): Sort | undefined {
  const [, minus, by] = /^(-?)(\w+)$/.exec(text ?? "") ?? [];
  return by === undefined ? undefined : { by, descending: minus === "-" };
}

export function writeSort(sort: Sort | undefined): string | undefined {
  return sort && `${sort.descending ? "-" : ""}${sort.by}`;
}

/** Amounts as exactly as they are written. */
export function moneyValue(amount: string | null | undefined): SortValue {
  return amount === null || amount === undefined ? null : toUnits(amount);
}

export function timeValue(instant: string | null | undefined): SortValue {
  return instant === null || instant === undefined ? null : Date.parse(instant);
}

/**
 * What a click on a column asks for. Words begin with A, numbers and times with the largest, which is
 * what people look for; the second click turns it around, and the third gives back the list's own order.
 */
export function nextSort(
  now: Sort | undefined,
  by: string,
  sample: SortValue | undefined,
): Sort | undefined {
  const first = { by, descending: typeof sample !== "string" };
  if (now?.by !== by) return first;
  return now.descending === first.descending ? { by, descending: !first.descending } : undefined;
}

function compare(a: SortValue, b: SortValue, words: Intl.Collator): number {
  if (typeof a === "string" && typeof b === "string") return words.compare(a, b);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

/** Rows that are the same in this column stay as they came. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueIn: (row: Row) => SortValue,
  descending: boolean,
  locale: string,
): readonly Row[] {
  const words = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
  return rows
    .map((row) => ({ row, value: valueIn(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) {
        return Number(a.value === null) - Number(b.value === null);
      }
      const order = compare(a.value, b.value, words);
      return descending ? -order : order;
    })
    .map(({ row }) => row);
}
