import { useMemo } from "react";
import { StackedBars } from "../../charts/stacked-bars.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import type { Key, RequestRow } from "../../lib/contract.ts";
import {
  formatAxisMoney,
  formatDay,
  formatDuration,
  formatMoney,
  formatNumber,
} from "../../lib/format.ts";
import { useRows } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, DataTable } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { StatusBadge } from "../requests/status-badge.tsx";
import { useKeyUsage } from "./key-usage.ts";

const CHART_HEIGHT = 180;

/** The chart sits on the table that it describes. */
export function KeyLog({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const rows = useRows<RequestRow>(path("/requests"), { key: item.id });
  const columns = useColumns();
  return (
    <Card
      flush
      title={t("keys.costByDay")}
      action={<span className="text-xs text-muted">{t("words.timesIn", { zone: timeZone })}</span>}
    >
      <div className="px-5 pt-3 pb-2">
        <CostChart keyId={item.id} />
      </div>
      <h2 className="border-t border-line px-5 pt-4 pb-1 text-sm font-semibold">{t("keys.log")}</h2>
      <DataTable
        label={t("keys.log")}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        empty={<EmptyState title={t("keys.logEmpty")}>{t("keys.logEmptyHint")}</EmptyState>}
      />
    </Card>
  );
}

function CostChart({ keyId }: { readonly keyId: string }) {
  const { t, locale } = useSpeech();
  const { data, days } = useKeyUsage(keyId);
  if (!data) return <Skeleton className="h-[180px] w-full" />;
  const costs = new Map(data.rows.map((row) => [row.day, row.cost]));
  const texts = days.map((day) => costs.get(day) ?? "0");
  return (
    <StackedBars
      label={t("keys.costByDay")}
      categoryLabel={t("words.day")}
      categories={days.map((day) => formatDay(day, locale))}
      series={[
        {
          id: "cost",
          label: t("words.cost"),
          values: texts.map(Number),
          texts: texts.map((cost) => formatMoney(cost, locale)),
        },
      ]}
      format={(value) => formatAxisMoney(value, locale)}
      height={CHART_HEIGHT}
    />
  );
}

function useColumns(): readonly Column<RequestRow>[] {
  const { t, locale } = useSpeech();
  return useMemo(
    () => [
      {
        id: "time",
        header: t("requests.time"),
        cell: (row) => <Time as="clock" at={row.created_at} />,
      },
      {
        id: "status",
        header: t("words.status"),
        cell: (row) => (
          <StatusBadge status={row.status} code={row.error_code} requests={row.requests} />
        ),
      },
      {
        id: "model",
        header: t("requests.model"),
        cell: (row) => <span className="font-mono text-[13px] whitespace-nowrap">{row.model}</span>,
      },
      {
        id: "input",
        header: t("requests.tokensIn"),
        align: "right",
        wide: true,
        cell: (row) => formatNumber(row.input_tokens, locale),
      },
      {
        id: "output",
        header: t("requests.tokensOut"),
        align: "right",
        wide: true,
        cell: (row) => formatNumber(row.output_tokens, locale),
      },
      {
        id: "duration",
        header: t("requests.duration"),
        align: "right",
        wide: true,
        cell: (row) => formatDuration(row.duration_ms, locale),
      },
      {
        id: "cost",
        header: t("words.cost"),
        align: "right",
        cell: (row) => <Money amount={row.cost} />,
      },
    ],
    [t, locale],
  );
}
