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

interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** An account by its name, with its id below. */
export function accountColumn<Row>(
  { t }: Speech,
  accountOf: (row: Row) => NamedAccount,
  look?: { readonly wide: boolean },
): Column<Row> {
  const cell = (row: Row) => {
    const { id, name } = accountOf(row);
    return (
      <div className="min-w-0">
        <p className="break-words">{name}</p>
        <p className="font-mono text-xs text-muted">{id}</p>
      </div>
    );
  };
  const sort = (row: Row) => accountOf(row).name;
  return column("account", t("ledger.account"), cell, { sort, ...look });
}

/** The account of a row that is about something else. */
export function accountOf(row: { readonly account_id: string; readonly account_name: string }) {
  return { id: row.account_id, name: row.account_name };
}
