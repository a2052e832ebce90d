import type { UsageRow } from "../../../src/console/contract/usage.ts";
import type { Series } from "../../charts/bars.ts";
import { SeriesLegend, StackedBars } from "../../charts/stacked-bars.tsx";
import { type Translate, useSpeech } from "../../i18n/language.tsx";
import { formatAxisMoney, formatCompact, formatDay, formatMoney } from "../../lib/format.ts";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const METRICS = ["cost", "requests", "tokens"] as const;
type Metric = (typeof METRICS)[number];

const HEIGHT = 220;

export function metricOf(text: string | undefined): Metric {
  return METRICS.find((metric) => metric === text) ?? "cost";
}

function seriesOf(
  metric: Metric,
  rows: readonly UsageRow[],
  t: Translate,
  locale: string,
): readonly Series[] {
  const one = (id: string, label: string, value: (row: UsageRow) => number) => ({
    id,
    label,
    values: rows.map(value),
  });
  if (metric === "cost") {
    const texts = rows.map(({ cost }) => formatMoney(cost, locale));
    return [{ ...one("cost", t("words.cost"), ({ cost }) => Number(cost)), texts }];
  }
  if (metric === "requests") {
    return [
      one("ok", t("usage.answered"), (row) => row.requests - row.failures),
      { ...one("failures", t("usage.failures"), (row) => row.failures), isBad: true },
    ];
  }
  return [
    one("input", t("usage.freshInput"), (row) => row.input_tokens - row.cached_tokens),
    one("cached", t("usage.cachedInput"), (row) => row.cached_tokens),
    one("output", t("usage.output"), (row) => row.output_tokens),
  ];
}

interface DayChartProps {
  /** Every day of the range, the oldest first. */
  readonly rows: readonly UsageRow[] | undefined;
  readonly metric: Metric;
}

export function DayChart({ rows, metric }: DayChartProps) {
  const { t, locale } = useSpeech();
  if (!rows) return <Skeleton className="h-[220px] w-full" />;
  const series = seriesOf(metric, rows, t, locale);
  return (
    <>
      <StackedBars
        label={t(`usage.metric_${metric}`)}
        categoryLabel={t("words.day")}
        categories={rows.map(({ day = "" }) => formatDay(day, locale))}
        series={series}
        format={(value) =>
          metric === "cost" ? formatAxisMoney(value, locale) : formatCompact(value, locale)
        }
        height={HEIGHT}
      />
      <SeriesLegend series={series} />
    </>
  );
}

interface MetricSelectProps {
  readonly metric: Metric;
  readonly onChange: (metric: Metric) => void;
}

export function MetricSelect({ metric, onChange }: MetricSelectProps) {
  const { t } = useSpeech();
  return (
    <Select
      label={t("usage.metric")}
      className="max-w-36"
      value={metric}
      choices={METRICS.map((value) => ({ value, label: t(`usage.metric_${value}`) }))}
      onChange={onChange}
    />
  );
}
