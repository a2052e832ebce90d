import type { ReactNode } from "react";
import type { Receipt, ReceiptRefusal } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { Money } from "../../ui/money.tsx";
import { Time } from "../../ui/time.tsx";
import { type Remedy, rateScope, refusalKind, remediesOf } from "./refusal.ts";

interface ReceiptRefusalProps {
  readonly receipt: Receipt;
  readonly refusal: ReceiptRefusal;
}

/** Which limit refused the request, and what helps beside raising it. */
export function ReceiptRefusalFacts({ receipt, refusal }: ReceiptRefusalProps) {
  const { t } = useSpeech();
  const remedies = remediesOf(refusalKind(receipt, refusal), refusal);
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p>
        <Reason receipt={receipt} refusal={refusal} />
      </p>
      {remedies.length > 0 && (
        <>
          <p className="text-[13px] text-muted">{t("requests.helps")}</p>
          <ul className="list-disc pl-5">
            {remedies.map((remedy) => (
              <li key={remedy}>
                <Help remedy={remedy} refusal={refusal} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function useLimitName({ scope, period }: ReceiptRefusal): string {
  const { t } = useSpeech();
  if (scope === "balance") return t("requests.limit_balance");
  const rate = rateScope(scope);
  if (rate) return t(`requests.limit_${rate}`);
  return period === null ? t("keys.budget") : t(`keys.budget_${period}`);
}

function Reason({ receipt, refusal }: ReceiptRefusalProps): ReactNode {
  const { rich, t, locale } = useSpeech();
  const limit = useLimitName(refusal);
  const count = (amount: string | null) => formatNumber(Number(amount ?? 0), locale);
  const money = (amount: string | null) => <Money exact amount={amount ?? "0"} />;
  switch (refusalKind(receipt, refusal)) {
    case "busy":
      return t("requests.refusal_busy", { limit });
    case "rate": {
      const { used, max } = refusal;
      return t("requests.refusal_rate", { limit, used: count(used), max: count(max) });
    }
    case "short": {
      const amounts = { left: money(refusal.left), needed: money(refusal.needed) };
      return rich("requests.refusal_short", { limit, ...amounts });
    }
    case "used_up": {
      const amounts = { used: money(refusal.used), max: money(refusal.max) };
      return rich("requests.refusal_used_up", { limit, ...amounts });
    }
  }
}

interface HelpProps {
  readonly remedy: Remedy;
  readonly refusal: ReceiptRefusal;
}

function Help({ remedy, refusal }: HelpProps): ReactNode {
  const { rich, t } = useSpeech();
  if (remedy !== "wait") return t(`requests.help_${remedy}`);
  return rich("requests.help_wait", { time: <Time at={refusal.resets_at ?? ""} as="exact" /> });
}
