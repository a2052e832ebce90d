import { useMemo } from "react";
import type { RequestRow } from "../../../src/console/contract/requests.ts";
import { type Translate, useSpeech } from "../../i18n/language.tsx";
import { formatDuration } from "../../lib/format.ts";
import { moneyColumn, numberColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { StatusBadge } from "./status-badge.tsx";

function subjectColumns(t: Translate): readonly Column<RequestRow>[] {
  return [
    timeColumn("time", t("requests.time"), (row) => row.created_at, { as: "clock" }),
    {
      id: "status",
      header: t("words.status"),
      wide: true,
      sort: (row) => `${row.status} ${row.error_code ?? ""}`,
      cell: (row) => (
        <StatusBadge status={row.status} code={row.error_code} requests={row.requests} />
      ),
    },
    {
      id: "model",
      header: t("requests.model"),
      sort: (row) => row.model,
      cell: (row) => <ModelName row={row} />,
    },
    {
      id: "key",
      header: t("requests.key"),
      wide: true,
      sort: (row) => row.key_name,
      cell: (row) => (
        <span className="block max-w-22 truncate" title={row.key_name}>
          {row.key_name}
        </span>
      ),
    },
    {
      id: "endpoint",
      header: t("requests.endpoint"),
      wide: "extra",
      sort: (row) => row.endpoint,
      cell: (row) => <span className="font-mono text-[13px]">{row.endpoint}</span>,
    },
    {
      id: "stream",
      header: t("requests.stream"),
      wide: "extra",
      sort: (row) => Number(row.stream),
      cell: (row) => (row.stream ? t("words.yes") : <span className="text-muted">–</span>),
    },
  ];
}

function numberColumns(t: Translate, locale: string): readonly Column<RequestRow>[] {
  const wide = { wide: true } as const;
  return [
    numberColumn("input", t("requests.tokensIn"), (row) => row.input_tokens, locale, wide),
    numberColumn("output", t("requests.tokensOut"), (row) => row.output_tokens, locale, wide),
    {
      id: "duration",
      header: t("requests.duration"),
      align: "right",
      ...wide,
      sort: (row) => row.duration_ms,
      cell: (row) => (
        <span className="whitespace-nowrap">{formatDuration(row.duration_ms, locale)}</span>
      ),
    },
    moneyColumn("cost", t("words.cost"), (row) => row.cost),
  ];
}

/** The lines of a log of requests; in that of one key, its name would be the same in all of them. */
export function useRequestColumns(ofOneKey = false): readonly Column<RequestRow>[] {
  const { t, locale } = useSpeech();
  return useMemo(() => {
    const columns = [...subjectColumns(t), ...numberColumns(t, locale)];
    return ofOneKey ? columns.filter(({ id }) => id !== "key") : columns;
  }, [t, locale, ofOneKey]);
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
