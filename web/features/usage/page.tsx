import type { Grouping, Usage, UsageNumbers } from "../../../src/console/contract/usage.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { withQuery } from "../../lib/api.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatCompact, formatNumber } from "../../lib/format.ts";
import { type Loaded, useResource } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Notice } from "../../ui/badge.tsx";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { DownloadLink } from "../../ui/download-link.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DayChart, MetricSelect, metricOf } from "./day-chart.tsx";
import { FILTERS, FilterBar } from "./filter-bar.tsx";
import { daysOf } from "./range.ts";
import { UsageTable } from "./usage-table.tsx";

const GROUPINGS: readonly Grouping[] = ["day", "model", "key"];

export function UsagePage() {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const filters = useFilters(FILTERS);
  const view = useFilters(["by", "metric"]);
  const days = daysOf(filters.values, useNow(), timeZone);
  const by = GROUPINGS.find((grouping) => grouping === view.values.by) ?? "day";
  const { key, model } = filters.values;
  const query = { by, ...days, key, model, tz: timeZone };
  const usage = useResource<Usage>(path("/usage"), query, { keep: true });
  // While another grouping loads, the rows that are there belong to the one before.
  const data = usage.data?.by === by ? usage.data : undefined;
  const panel = (
    <UsagePanel
      by={by}
      usage={{ data, error: usage.error, refetch: usage.refetch }}
      metric={view.values.metric}
      setMetric={(metric) => view.set({ metric: metric === "cost" ? undefined : metric })}
    />
  );
  return (
    <>
      <PageHeader
        title={t("usage.title")}
        description={t("usage.description")}
        actions={<DownloadLink href={withQuery(path("/usage.csv"), query)} />}
      />
      <FilterBar {...filters} days={days} />
      <Totals total={usage.data?.total} />
      <div className="mt-5">
        <Tabs
          label={t("usage.groupBy")}
          value={by}
          onChange={(next) => view.set({ by: next === "day" ? undefined : next })}
          tabs={GROUPINGS.map((value) => ({
            value,
            label: t(`usage.by_${value}`),
            content: panel,
          }))}
        />
      </div>
      {data && <p className="mt-2 text-xs text-muted">{t("usage.daysIn", { zone: timeZone })}</p>}
    </>
  );
}

interface UsagePanelProps {
  readonly by: Grouping;
  readonly usage: Loaded<Usage>;
  readonly metric: string | undefined;
  readonly setMetric: (metric: string) => void;
}

/** The chart sits on the table that it describes. */
function UsagePanel({ by, usage, metric, setMetric }: UsagePanelProps) {
  const { t } = useSpeech();
  const { data, error } = usage;
  const leftOut = data?.rows_left_out ?? 0;
  const chart = by === "day" && (data ? data.total.requests !== 0 : !error);
  return (
    <Card flush>
      {chart && (
        <div className="border-b border-line px-5 pt-4 pb-4">
          <div className="mb-3 flex justify-end">
            <MetricSelect metric={metricOf(metric)} onChange={setMetric} />
          </div>
          <DayChart rows={data?.rows} metric={metricOf(metric)} />
        </div>
      )}
      <UsageTable by={by} {...usage} />
      {leftOut > 0 && (
        <div className="p-4">
          <Notice>{t("usage.leftOut", { count: leftOut })}</Notice>
        </div>
      )}
    </Card>
  );
}

function Totals({ total }: { readonly total: UsageNumbers | undefined }) {
  const { t, locale } = useSpeech();
  const failures = total && (
    <span className={total.failures > 0 ? "text-bad" : ""}>
      {t("usage.failed", { count: total.failures })}
    </span>
  );
  const cached =
    total && t("usage.fromCache", { count: formatCompact(total.cached_tokens, locale) });
  return (
    <StatRow>
      <Stat label={t("words.cost")} value={total && <Money amount={total.cost} />} />
      <Stat
        label={t("words.requests")}
        value={total && formatNumber(total.requests, locale)}
        hint={failures}
      />
      <Stat
        label={t("usage.input")}
        value={total && formatCompact(total.input_tokens, locale)}
        hint={cached}
      />
      <Stat label={t("usage.output")} value={total && formatCompact(total.output_tokens, locale)} />
    </StatRow>
  );
}
