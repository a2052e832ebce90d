import type { OperatorOverview } from "../../../src/console/operator/contract/health.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney, formatNumber, formatPercent } from "../../lib/format.ts";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";

function shareOf(part: number, all: number, locale: string): string {
  return formatPercent(all === 0 ? 0 : (part * 100) / all, locale);
}

/** Requests, failures and spend of all accounts, beside those of the day before. */
export function AllAccounts({ overview }: { readonly overview: OperatorOverview | undefined }) {
  const { t, locale } = useSpeech();
  const count = (number: number) => formatNumber(number, locale);
  const { day, day_before: before, recent } = overview ?? {};
  const beforeHint = (amount: string | undefined) =>
    amount === undefined ? undefined : t("health.dayBefore", { amount });
  return (
    <StatRow>
      <Stat
        label={t("health.requests")}
        value={day && count(day.requests)}
        hint={beforeHint(before && count(before.requests))}
      />
      <Stat
        label={t("health.failed")}
        value={day && shareOf(day.failures, day.requests, locale)}
        hint={beforeHint(before && shareOf(before.failures, before.requests, locale))}
      />
      <Stat
        label={t("health.unavailableRate")}
        value={
          recent && (
            <span className={recent.unavailable > 0 ? "text-bad" : undefined}>
              {shareOf(recent.unavailable, recent.requests, locale)}
            </span>
          )
        }
        hint={
          recent &&
          t("health.ofRequests", { part: count(recent.unavailable), all: count(recent.requests) })
        }
      />
      <Stat
        label={t("health.spend")}
        value={day && <Money amount={day.spend} />}
        hint={beforeHint(before && formatMoney(before.spend, locale))}
      />
      <Stat
        label={t("health.active")}
        value={overview && count(overview.active_accounts)}
        hint={overview && t("health.ofAccounts", { all: count(overview.accounts) })}
      />
    </StatRow>
  );
}
