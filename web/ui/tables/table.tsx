import { type ReactNode, useMemo, useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import type { Sorting } from "../../lib/address-sort.ts";
import { formatNumber } from "../../lib/format.ts";
import type { Rows } from "../../lib/queries.ts";
import { nextSort, type Sort, type SortValue, sortRows } from "../../lib/sorting.ts";
import { Button } from "../button.tsx";
import { cx } from "../cx.ts";
import { NotLoaded } from "../not-loaded.tsx";
import { Skeleton } from "../skeleton.tsx";
import { moveByKey, OPENING_LOOK, OPENS, openByClick } from "./opening-rows.ts";
import { SortHeader } from "./sort-header.tsx";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and money stand at the right. */
  readonly align?: "right";
  /** Left out on a phone, or wherever there is less room than a whole screen. */
  readonly wide?: boolean | "extra";
  readonly className?: string;
  /** What rows are sorted by in it; without one it does not sort. */
  readonly sort?: (row: Row) => SortValue;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** From `useRows`, or made from what is there. */
  readonly rows: Rows<Row>;
  /** What a row is known by, where it is not its `id`. */
  readonly rowId?: (row: Row) => string;
  /** Shown where there is nothing: says the next step. */
  readonly empty: ReactNode;
  /**
   * Opens a row; the first cell becomes its button. Where a row leads to a page, a link in one of its
   * cells is marked with `OPENS` instead.
   */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Where the order is kept; by the table itself unless it is given. */
  readonly sorting?: Sorting;
  /** The rows come in this order already: whoever gives them knows those that are not loaded too. */
  readonly sorted?: boolean;
  readonly skeletonRows?: number;
}

/** A row that has no id is known by something else. */
type Known<Row> = Row extends { readonly id: string }
  ? unknown
  : Required<Pick<DataTableProps<Row>, "rowId">>;

function idOf(row: object): string {
  return "id" in row ? String(row.id) : "";
}

type Look = Pick<Column<never>, "align" | "wide" | "className">;

/** The cells at both ends stand as far from the edge as a card's words do. */
function cellClass(columns: readonly Look[], place: number): string {
  const column = columns[place];
  const last = place === columns.length - 1;
  // A phone leaves out wide columns, so another one is at its edge.
  const lastOnPhone = columns.slice(place + 1).every(({ wide }) => wide);
  const right = last ? "pr-5" : lastOnPhone ? "pr-5 md:pr-3" : "pr-2 sm:pr-3";
  return cx(
    "py-2.5",
    place === 0 ? "pl-5" : "pl-2 sm:pl-3",
    right,
    column?.align === "right" && "text-right tabular-nums",
    column?.wide && (column.wide === "extra" ? "hidden xl:table-cell" : "hidden md:table-cell"),
    column?.className,
  );
}

/** The order that somebody has chosen, and the rows in it. */
function useSorted<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, sorted } = props;
  const { locale } = useSpeech();
  const [own, setOwn] = useState<Sort>();
  const { sort, onSort } = props.sorting ?? { sort: own, onSort: setOwn };
  const { data } = rows;
  const valueIn = columns.find(({ id }) => id === sort?.by)?.sort;
  const descending = sort?.descending ?? false;
  const shown = useMemo(
    () => (data && valueIn && !sorted ? sortRows(data, valueIn, descending, locale) : data),
    [data, valueIn, descending, sorted, locale],
  );
  // With more to come, only what is there has been sorted, and that must be said.
  const partly = valueIn !== undefined && !sorted && rows.hasMore;
  return { shown, sort: valueIn && sort, onSort, partly };
}

export function DataTable<Row extends object>(props: DataTableProps<Row> & Known<Row>) {
  const { label, columns, rows, empty } = props;
  const { shown, sort, onSort, partly } = useSorted(props);
  if (rows.error && !rows.data) return <NotLoaded error={rows.error} retry={rows.retry} />;
  if (rows.data?.length === 0) return <>{empty}</>;
  return (
    <div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-[inherit] -outline-offset-2"
      >
        <table
          className={cx("w-full border-collapse text-sm", rows.stale && "opacity-60")}
          aria-busy={!rows.data || rows.stale}
        >
          <caption className="sr-only">{label}</caption>
          <Head columns={columns} sample={rows.data?.[0]} sort={sort} onSort={onSort} />
          {shown ? <Body {...props} data={shown} /> : <SkeletonBody {...props} />}
        </table>
      </section>
      <MoreButton rows={rows} partly={partly} />
    </div>
  );
}

interface HeadProps<Row> extends Sorting {
  readonly columns: readonly Column<Row>[];
  readonly sample: Row | undefined;
}

function Head<Row>({ columns, sample, sort, onSort }: HeadProps<Row>) {
  return (
    <thead>
      <tr className="border-b border-line text-left text-[13px] text-muted">
        {columns.map((column, place) => {
          const { id, header, align, sort: valueIn } = column;
          const direction =
            sort?.by === id ? (sort.descending ? "descending" : "ascending") : undefined;
          const value = sample && valueIn?.(sample);
          return (
            <th
              key={id}
              scope="col"
              aria-sort={direction}
              className={cx(cellClass(columns, place), "font-medium")}
            >
              {valueIn ? (
                <SortHeader
                  header={header}
                  align={align}
                  direction={direction}
                  onClick={() => onSort(nextSort(sort, id, value))}
                />
              ) : (
                header
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Body<Row extends object>(props: DataTableProps<Row> & { data: readonly Row[] }) {
  const { columns, data, rowId = idOf, onOpen } = props;
  return (
    <tbody onKeyDown={moveByKey}>
      {data.map((row) => (
        <tr
          key={rowId(row)}
          onClick={openByClick}
          className={cx("border-b border-line last:border-0", OPENING_LOOK)}
        >
          {columns.map((column, place) => (
            <td key={column.id} className={cellClass(columns, place)}>
              {place === 0 && onOpen ? (
                <OpenButton onOpen={() => onOpen(row)}>{column.cell(row)}</OpenButton>
              ) : (
                column.cell(row)
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function OpenButton({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <button {...OPENS} type="button" onClick={onOpen} className="text-left hover:underline">
      {children}
    </button>
  );
}

function SkeletonBody<Row>({ columns, skeletonRows = 6 }: DataTableProps<Row>) {
  return (
    <tbody>
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places are all there is.
        <tr key={row} className="border-b border-line last:border-0">
          {columns.map((column, place) => (
            <td key={column.id} className={cellClass(columns, place)}>
              <Skeleton className={cx("my-1 h-4 w-3/4", column.align === "right" && "ml-auto")} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface MoreButtonProps<Row> {
  readonly rows: Rows<Row>;
  /** What is there is sorted, and what is not there yet may belong in between. */
  readonly partly: boolean;
}

function MoreButton<Row>({ rows, partly }: MoreButtonProps<Row>) {
  const { t, locale } = useSpeech();
  if (!rows.hasMore) return null;
  const count = formatNumber(rows.data?.length ?? 0, locale);
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 border-t border-line p-3">
      {partly && (
        <span className="text-[13px] text-muted">{t("words.sortedPartly", { count })}</span>
      )}
      <Button kind="quiet" size="small" busy={rows.loadingMore} onClick={rows.loadMore}>
        {t("words.loadMore")}
      </Button>
    </div>
  );
}
