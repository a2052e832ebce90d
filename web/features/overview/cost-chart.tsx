import { StackedBars } from "../../charts/stacked-bars.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import { formatAxisMoney, formatDay, formatMoney } from "../../lib/format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

interface CostChartProps {
  readonly label: string;
  /** The oldest first; absent while they load. */
  readonly days: readonly { readonly day: string; readonly cost: string }[] | undefined;
}

/** What each day cost. */
export function CostChart({ label, days }: CostChartProps) {
  const { t, locale } = useSpeech();
  if (!days) return <Skeleton className="h-[180px] w-full" />;
  const cost = {
    id: "cost",
    label: t("words.cost"),
    values: days.map((day) => Number(day.cost)),
    texts: days.map((day) => formatMoney(day.cost, locale)),
  };
  return (
    <StackedBars
      label={label}
      categoryLabel={t("words.day")}
      categories={days.map(({ day }) => formatDay(day, locale))}
      series={[cost]}
      format={(value) => formatAxisMoney(value, locale)}
      height={180}
    />
  );
}
