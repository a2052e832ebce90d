import { useFilters } from "./filters.ts";
import { readSort, type Sort, writeSort } from "./sorting.ts";

/** How a table is sorted, for a `DataTable`. */
export interface Sorting {
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** The order of a page's main table, which lives in the address as its filters do. */
export function useAddressSort(): Sorting {
  const { values, set } = useFilters(["sort"]);
  return {
    sort: readSort(values.sort),
    onSort: (sort) => set({ sort: writeSort(sort) }),
  };
}
