import type { Speech } from "../../i18n/language.tsx";
import { Code } from "../../ui/code.tsx";
import { column } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";

/** A request by its id, with the model that it is for. */
export function requestColumn<Row extends { readonly model: string }>(
  { t }: Speech,
  idOf: (row: Row) => string,
): Column<Row> {
  return column("request", t("ledger.request"), (row) => (
    <div className="min-w-0">
      <Code>{idOf(row)}</Code>
      <p className="font-mono text-xs break-all text-muted">{row.model}</p>
    </div>
  ));
}

/** What has no better name than its id. */
export function idColumn<Row>(id: string, header: string, idOf: (row: Row) => string): Column<Row> {
  const cell = (row: Row) => <span className="font-mono text-[13px]">{idOf(row)}</span>;
  return column(id, header, cell, { wide: true, sort: idOf });
}
