import { TriangleAlert } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney, formatNumber } from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import type { Overview } from "./contract.ts";
import { runwayOf, warningOf } from "./runway.ts";

/** What there is, how long it lasts, and where it goes. */
export function Standing({ overview }: { readonly overview: Overview | undefined }) {
  const { t, locale } = useSpeech();
  return (
    <>
      {overview && <BalanceWarning overview={overview} />}
      <StatRow>
        <Stat
          label={t("overview.balance")}
          value={overview && <Money amount={overview.balance} />}
          hint={overview && t("overview.held", { amount: formatMoney(overview.held, locale) })}
        />
        <Stat
          label={t("overview.runway")}
          value={overview && <Runway days={overview.runway_days} />}
        />
        <Stat
          label={t("overview.spendToday")}
          value={overview && <Money amount={overview.spend_today} />}
        />
        <Stat
          label={t("overview.spendMonth")}
          value={overview && <Money amount={overview.spend_month} />}
        />
        <Stat
          label={t("overview.requestsToday")}
          value={overview && formatNumber(overview.requests_today, locale)}
        />
        <Stat
          label={t("overview.errorsToday")}
          value={overview && formatNumber(overview.errors_today, locale)}
        />
      </StatRow>
    </>
  );
}

function Runway({ days }: { readonly days: number | null }) {
  const { t } = useSpeech();
  const runway = runwayOf(days);
  if (runway.kind === "unknown") return <span title={t("overview.runwayHint")}>–</span>;
  const words = {
    hours: () => t("overview.runwayHours"),
    days: (count: number) => t("overview.runwayDays", { count }),
    year: () => t("overview.runwayYear"),
  };
  return <span title={t("overview.runwayHint")}>{words[runway.kind](runway.count)}</span>;
}

function BalanceWarning({ overview }: { readonly overview: Overview }) {
  const { t } = useSpeech();
  const { may } = useSession();
  const warning = warningOf(overview);
  if (!warning) return null;
  return (
    <Notice
      tone={warning === "empty" ? "bad" : "warn"}
      icon={<TriangleAlert size={16} />}
      action={
        may("owner") && (
          <TextLink to="/wallet" search={{ dialog: "topup" }}>
            {t("overview.topUp")}
          </TextLink>
        )
      }
    >
      {t(`overview.warning_${warning}`)}
    </Notice>
  );
}
