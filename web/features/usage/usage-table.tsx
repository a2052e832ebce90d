import { ChartColumn } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { Grouping, Usage, UsageRow } from "../../../src/console/contract/usage.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useAddressSort } from "../../lib/address-sort.ts";
import { percentOf } from "../../lib/decimal.ts";
import { formatCompact, formatDay, formatNumber, formatPercent } from "../../lib/format.ts";
import { Link, TextLink } from "../../lib/link.tsx";
import { type Loaded, rowsOf } from "../../lib/queries.ts";
import { moneyValue, timeValue } from "../../lib/sorting.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { column } from "../../ui/tables/columns.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";

interface UsageTableProps extends Loaded<Usage> {
  readonly by: Grouping;
}

/** Days from the newest on, without those on which nothing happened; the rest as the API sorts. */
function shownRows(by: Grouping, data: Usage | undefined) {
  if (by !== "day") return data?.rows;
  return data?.rows.filter(({ requests }) => requests > 0).toReversed();
}

function idOf(row: UsageRow): string {
  return row.day ?? row.key_id ?? row.model ?? "";
}

export function UsageTable({ by, data, ...asked }: UsageTableProps) {
  const { t } = useSpeech();
  const columns = useColumns(by, data?.total.cost ?? "0");
  const sorting = useAddressSort();
  return (
    <DataTable
      label={t(`usage.by_${by}`)}
      columns={columns}
      rows={rowsOf({ ...asked, data: shownRows(by, data) })}
      rowId={idOf}
      sorting={sorting}
      skeletonRows={8}
      empty={
        <EmptyState
          icon={<ChartColumn size={28} />}
          title={t("usage.emptyTitle")}
          action={<TextLink to="/">{t("requests.emptyAction")}</TextLink>}
        >
          {t("usage.emptyHint")}
        </EmptyState>
      }
    />
  );
}

function useColumns(by: Grouping, total: string): readonly Column<UsageRow>[] {
  const { t, locale } = useSpeech();
  return useMemo(() => {
    const number = (
      id: string,
      header: string,
      value: (row: UsageRow) => number,
      cell: (row: UsageRow) => ReactNode = (row) => formatNumber(value(row), locale),
    ): Column<UsageRow> => ({ id, header, align: "right", wide: true, sort: value, cell });
    // Of days there are too many for their shares to say anything; the chart shows them.
    const share: Column<UsageRow> = {
      id: "share",
      header: t("usage.share"),
      wide: true,
      cell: (row) => <Share percent={percentOf(row.cost, total)} />,
    };
    return [
      column("subject", t(`usage.subject_${by}`), (row) => <Subject row={row} />, {
        sort: (row) => (row.day === undefined ? row.key_name || idOf(row) : timeValue(row.day)),
      }),
      { ...number("requests", t("words.requests"), (row) => row.requests), wide: false },
      number(
        "failures",
        t("usage.failures"),
        (row) => row.failures,
        (row) => (
          <span className={row.failures > 0 ? "text-bad" : ""}>
            {formatNumber(row.failures, locale)}
          </span>
        ),
      ),
      number("input", t("usage.input"), (row) => row.input_tokens),
      number("cached", t("usage.cached"), (row) => row.cached_tokens),
      number("output", t("usage.output"), (row) => row.output_tokens),
      column("cost", t("words.cost"), (row) => <Cost row={row} />, {
        align: "right",
        sort: (row) => moneyValue(row.cost),
      }),
      ...(by === "day" ? [] : [share]),
    ];
  }, [t, locale, by, total]);
}

/** Leads to the requests that the row is made of. */
function Subject({ row }: { readonly row: UsageRow }) {
  const { t, locale } = useSpeech();
  const look = "block max-w-40 truncate hover:underline sm:max-w-64";
  if (row.day !== undefined) {
    return (
      <Link {...OPENS} to="/requests" search={{ from: row.day, to: row.day }} className={look}>
        {formatDay(row.day, locale)}
      </Link>
    );
  }
  if (row.key_id !== undefined) {
    return (
      <Link {...OPENS} to={`/keys/${row.key_id}`} className={look}>
        {row.key_name || row.key_id}
      </Link>
    );
  }
  const model = row.model ?? "";
  if (model === "") return <span className="text-muted">{t("words.none")}</span>;
  return (
    <Link {...OPENS} to="/requests" search={{ model }} className={`${look} font-mono text-[13px]`}>
      {model}
    </Link>
  );
}

/** On a phone, where there is no room for more columns, with the tokens below. */
function Cost({ row }: { readonly row: UsageRow }) {
  const { t, locale } = useSpeech();
  const count = formatCompact(row.input_tokens + row.output_tokens, locale);
  return (
    <>
      <Money amount={row.cost} />
      <span className="block text-xs whitespace-nowrap text-muted md:hidden">
        {t("usage.tokens", { count })}
      </span>
    </>
  );
}

function Share({ percent }: { readonly percent: number }) {
  const { locale } = useSpeech();
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="h-1.5 w-20 shrink-0 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${Math.min(100, percent)}%` }}
        />
      </span>
      <span className="text-[13px] text-muted tabular-nums">{formatPercent(percent, locale)}</span>
    </span>
  );
}
