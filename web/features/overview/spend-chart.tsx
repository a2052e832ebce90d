import type { Overview } from "../../../src/console/contract/overview.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { Card } from "../../ui/card.tsx";
import { CostChart } from "./cost-chart.tsx";

export function SpendChart({ overview }: { readonly overview: Overview | undefined }) {
  const { t } = useSpeech();
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
        <CostChart label={t("overview.spend30")} days={overview?.series} />
      </div>
    </Card>
  );
}
