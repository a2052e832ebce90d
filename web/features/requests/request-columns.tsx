import type { RequestRow } from "../../../src/console/contract/requests.ts";
import type { Speech } from "../../i18n/language.tsx";
import { formatDuration } from "../../lib/format.ts";
import {
  column,
  moneyColumn,
  numberColumn,
  timeColumn,
  useColumns,
} from "../../ui/tables/columns.tsx";
import { Name } from "../../ui/tables/name.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { StatusBadge } from "./status-badge.tsx";

function requestColumns({ t, locale }: Speech, ofOneKey: boolean): readonly Column<RequestRow>[] {
  const wide = { wide: true } as const;
  const columns: readonly Column<RequestRow>[] = [
    timeColumn("time", t("requests.time"), (row) => row.created_at, { as: "clock" }),
    column(
      "status",
      t("words.status"),
      (row) => <StatusBadge status={row.status} code={row.error_code} requests={row.requests} />,
      { wide: true, sort: (row) => `${row.status} ${row.error_code ?? ""}` },
    ),
    column("model", t("requests.model"), (row) => <ModelName row={row} />, {
      sort: (row) => row.model,
    }),
    column("key", t("requests.key"), (row) => <Name text={row.key_name} />, {
      wide: true,
      sort: (row) => row.key_name,
    }),
    column(
      "endpoint",
      t("requests.endpoint"),
      (row) => <span className="font-mono text-[13px]">{row.endpoint}</span>,
      { wide: "extra", sort: (row) => row.endpoint },
    ),
    column(
      "stream",
      t("requests.stream"),
      (row) => (row.stream ? t("words.yes") : <span className="text-muted">–</span>),
      { wide: "extra", sort: (row) => Number(row.stream) },
    ),
    numberColumn("input", t("requests.tokensIn"), (row) => row.input_tokens, locale, wide),
    numberColumn("output", t("requests.tokensOut"), (row) => row.output_tokens, locale, wide),
    column(
      "duration",
      t("requests.duration"),
      (row) => <span className="whitespace-nowrap">{formatDuration(row.duration_ms, locale)}</span>,
      { align: "right", ...wide, sort: (row) => row.duration_ms },
    ),
    moneyColumn("cost", t("words.cost"), (row) => row.cost),
  ];
  return ofOneKey ? columns.filter(({ id }) => id !== "key") : columns;
}

/** The lines of a log of requests; in that of one key, its name would be the same in all of them. */
export function useRequestColumns(ofOneKey = false): readonly Column<RequestRow>[] {
  return useColumns(requestColumns, ofOneKey);
}

/**
 * The model that was asked for and, below it, the one that answered instead. On a phone, which has
 * no room for the status, also what went wrong.
 */
function ModelName({ row }: { readonly row: RequestRow }) {
  return (
    <div className="max-w-44 font-mono text-[13px] sm:max-w-56">
      <span className="block truncate" title={row.model}>
        {row.model}
      </span>
      {row.served_model && row.served_model !== row.model && (
        <span className="block truncate text-xs text-muted" title={row.served_model}>
          → {row.served_model}
        </span>
      )}
      {row.status !== "ok" && (
        <span className="block font-sans md:hidden">
          <StatusBadge status={row.status} code={row.error_code} requests={row.requests} />
        </span>
      )}
    </div>
  );
}
