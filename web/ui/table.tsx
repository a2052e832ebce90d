import { createColumnHelper, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import type { Rows } from "../lib/queries.ts";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { EmptyState } from "./empty-state.tsx";
import { Skeleton } from "./skeleton.tsx";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and money stand at the right. */
  readonly align?: "right";
  /** Left out on a phone. */
  readonly wide?: boolean;
  readonly className?: string;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** From `useRows`, or made from what is there. */
  readonly rows: Rows<Row>;
  readonly rowId: (row: Row) => string;
  /** Shown where there is nothing: says the next step. */
  readonly empty: ReactNode;
  /** A click on a row; the first cell becomes its button. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly skeletonRows?: number;
}

const features = tableFeatures({});
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
    column?.wide && "hidden md:table-cell",
    column?.className,
  );
}

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, empty } = props;
  if (rows.error && !rows.data) return <TableError error={rows.error} retry={rows.retry} />;
  if (rows.data?.length === 0) return <>{empty}</>;
  return (
    <div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-[inherit] -outline-offset-2"
      >
        <table className="w-full border-collapse text-sm" aria-busy={!rows.data}>
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className="border-b border-line text-left text-[13px] text-muted">
              {columns.map(({ id, header }, place) => (
                <th key={id} scope="col" className={cx(cellClass(columns, place), "font-medium")}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          {rows.data ? <Body {...props} data={rows.data} /> : <SkeletonBody {...props} />}
        </table>
      </section>
      <MoreButton rows={rows} />
    </div>
  );
}

function Body<Row extends object>(props: DataTableProps<Row> & { data: readonly Row[] }) {
  const { columns, data, rowId, onOpen } = props;
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.display({
        id: column.id,
        header: column.header,
        cell: ({ row }) => column.cell(row.original),
      }),
    );
  }, [columns]);
  const table = useTable({ features, columns: definitions, data, getRowId: rowId });
  return (
    <tbody>
      {table.getRowModel().rows.map((row) => (
        <tr
          key={row.id}
          className={cx("border-b border-line last:border-0", onOpen && "hover:bg-sunken")}
        >
          {row.getAllCells().map((cell, index) => (
            <td key={cell.id} className={cellClass(columns, index)}>
              {index === 0 && onOpen ? (
                <OpenButton onOpen={() => onOpen(row.original)}>
                  <table.FlexRender cell={cell} />
                </OpenButton>
              ) : (
                <table.FlexRender cell={cell} />
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
    <button type="button" onClick={onOpen} className="text-left hover:underline">
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

function MoreButton<Row>({ rows }: { readonly rows: Rows<Row> }) {
  const { t } = useSpeech();
  if (!rows.hasMore) return null;
  return (
    <div className="flex justify-center border-t border-line p-3">
      <Button kind="quiet" size="small" busy={rows.loadingMore} onClick={rows.loadMore}>
        {t("words.loadMore")}
      </Button>
    </div>
  );
}

function TableError({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  return (
    <EmptyState
      title={t("errors.notLoaded")}
      action={<Button onClick={retry}>{t("words.retry")}</Button>}
    >
      {wordsOf(error)}
    </EmptyState>
  );
}
