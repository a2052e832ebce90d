import type { Margin } from "../../../src/console/operator/contract/ledger.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lastDays } from "../../lib/format.ts";
import { useNow } from "../../lib/time/now.ts";
import { Notice } from "../../ui/badge.tsx";
import { Select } from "../../ui/select.tsx";
import { Time } from "../../ui/time.tsx";
import { SPANS, spanOf } from "./totals.ts";

/** The filters of the API for the days that were chosen, which begin where UTC's do. */
export function useSpan() {
  const { values } = useFilters(["days"]);
  const span = spanOf(values.days);
  return { from: lastDays(Number(span), useNow(), "UTC")[0] };
}

export function SpanSelect() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["days"]);
  return (
    <Select
      label={t("ledger.span")}
      className="w-40"
      value={spanOf(values.days)}
      choices={SPANS.map((value) => ({ value, label: t(`ledger.span_${value}`) }))}
      onChange={(days) => set({ days })}
    />
  );
}

interface ReachedNoticeProps {
  readonly reached: Pick<Margin, "receipts" | "since" | "whole"> | undefined;
}

/** Said where the numbers are of a part only. */
export function ReachedNotice({ reached }: ReachedNoticeProps) {
  const { rich, locale } = useSpeech();
  if (!reached || reached.whole) return null;
  return (
    <Notice tone="warn">
      {rich("ledger.notWhole", {
        count: reached.receipts.toLocaleString(locale),
        time: <Time as="exact" at={reached.since} />,
      })}
    </Notice>
  );
}
