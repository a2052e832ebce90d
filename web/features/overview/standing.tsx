import type { Overview } from "../../../src/console/contract/overview.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { addDecimals, compareDecimals } from "../../lib/decimal.ts";
import {
  formatLeft,
  formatMoney,
  formatNumber,
  formatPercent,
  lastDays,
} from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Balance } from "../../ui/balance.tsx";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import { BalanceWarning } from "./balance-warning.tsx";
import { runwayOf } from "./runway.ts";

/** What there is, how long it lasts, and where it goes. */
export function Standing({ overview }: { readonly overview: Overview | undefined }) {
  const { t, locale } = useSpeech();
  const money = (amount: string | undefined) => amount && <Money amount={amount} />;
  const count = (number: number | undefined) =>
    number === undefined ? undefined : formatNumber(number, locale);
  return (
    <>
      <BalanceWarning funds={overview} />
      <StatRow>
        <Stat
          label={t("overview.balance")}
          value={overview && <Balance amount={overview.balance} />}
          hint={overview && <Reserves overview={overview} />}
        />
        <Stat
          label={t("overview.runway")}
          value={overview && <Runway overview={overview} />}
          {...(overview?.runway_days === null && { hint: t("overview.runwayUnknown") })}
        />
        <Stat label={t("overview.spendToday")} value={money(overview?.spend_today)} />
        <Stat label={t("overview.spendMonth")} value={money(overview?.spend_month)} />
        <Stat label={t("overview.requestsToday")} value={count(overview?.requests_today)} />
        <FailedToday overview={overview} />
      </StatRow>
    </>
  );
}

/** Tells what running requests hold and, where the operator allows an overdraft, what can be spent with it. */
function Reserves({ overview }: { readonly overview: Overview }) {
  const { t, locale } = useSpeech();
  const { balance, overdraft, held } = overview;
  const heldNow = t("overview.held", { amount: formatMoney(held, locale) });
  if (compareDecimals(overdraft, "0") === 0) return heldNow;
  const spendable = addDecimals(balance, overdraft);
  const left = compareDecimals(spendable, "0") > 0 ? spendable : "0";
  return (
    <>
      {heldNow}
      <span className="block">
        {t("overview.overdraft", {
          overdraft: formatMoney(overdraft, locale),
          amount: formatLeft(left, locale),
        })}
      </span>
    </>
  );
}

/** Red where there are any, with their share and the way to them. */
function FailedToday({ overview }: { readonly overview: Overview | undefined }) {
  const { t, locale } = useSpeech();
  const [today = ""] = lastDays(1, useNow(), useTimeZone());
  const failed = overview?.errors_today ?? 0;
  const label = t("overview.errorsToday");
  if (!overview || failed === 0) return <Stat label={label} value={overview && "0"} />;
  const share = formatPercent((100 * failed) / overview.requests_today, locale);
  return (
    <Stat
      label={label}
      value={<span className="text-bad">{formatNumber(failed, locale)}</span>}
      hint={
        <TextLink to="/requests" search={{ from: today, to: today }}>
          {t("overview.failedShare", { share })}
        </TextLink>
      }
    />
  );
}

/** Not known without a whole day of spend, or with nothing left to last, of which a warning tells. */
function Runway({ overview }: { readonly overview: Overview }) {
  const { t } = useSpeech();
  const runway = runwayOf(overview);
  if (!runway) return "–";
  const words = {
    hours: () => t("overview.runwayHours"),
    days: (count: number) => t("overview.runwayDays", { count }),
    year: () => t("overview.runwayYear"),
  };
  return <span title={t("overview.runwayHint")}>{words[runway.kind](runway.count)}</span>;
}
