import type { Overview } from "../../../src/console/contract/overview.ts";
import { StackedBars } from "../../charts/stacked-bars.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import { formatAxisMoney, formatDay, formatMoney } from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const HEIGHT = 180;

export function SpendChart({ overview }: { readonly overview: Overview | undefined }) {
  const { t, locale } = useSpeech();
  return (
    <Card
      flush
      title={t("overview.spend30")}
      action={
        <TextLink to="/usage" className="text-[13px]">
          {t("overview.allUsage")}
        </TextLink>
      }
    >
      <div className="px-5 pt-3 pb-3">
        {overview ? (
          <StackedBars
            label={t("overview.spend30")}
            categoryLabel={t("words.day")}
            categories={overview.series.map(({ day }) => formatDay(day, locale))}
            series={[
              {
                id: "cost",
                label: t("words.cost"),
                values: overview.series.map(({ cost }) => Number(cost)),
                texts: overview.series.map(({ cost }) => formatMoney(cost, locale)),
              },
            ]}
            format={(value) => formatAxisMoney(value, locale)}
            height={HEIGHT}
          />
        ) : (
          <Skeleton className="h-[180px] w-full" />
        )}
      </div>
    </Card>
  );
}
