import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { Money } from "../../ui/money.tsx";
import { Time } from "../../ui/time.tsx";
import type { Receipt, ReceiptRefusal } from "./contract.ts";
import { type Remedy, refusalKind, remediesOf } from "./refusal.ts";

interface ReceiptRefusalProps {
  readonly receipt: Receipt;
  readonly refusal: ReceiptRefusal;
}

/** Which limit of money refused the request, and what helps. */
export function ReceiptRefusalFacts({ receipt, refusal }: ReceiptRefusalProps) {
  const { t } = useSpeech();
  const kind = refusalKind(receipt, refusal);
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p>
        <Reason receipt={receipt} refusal={refusal} />
      </p>
      <p className="text-[13px] text-muted">{t("requests.helps")}</p>
      <ul className="list-disc pl-5">
        {remediesOf(kind, refusal).map((remedy) => (
          <li key={remedy}>
            <Help remedy={remedy} receipt={receipt} refusal={refusal} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function useLimitName({ scope, period }: ReceiptRefusal): string {
  const { t } = useSpeech();
  if (scope === "balance") return t("requests.limit_balance");
  return period === null ? t("keys.budget") : t(`keys.budget_${period}`);
}

function Reason({ receipt, refusal }: ReceiptRefusalProps): ReactNode {
  const { rich, t } = useSpeech();
  const limit = useLimitName(refusal);
  const money = (amount: string | null) => <Money exact amount={amount ?? "0"} />;
  switch (refusalKind(receipt, refusal)) {
    case "busy":
      return t("requests.refusal_busy", { limit });
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

interface HelpProps extends ReceiptRefusalProps {
  readonly remedy: Remedy;
}

function Help({ remedy, receipt, refusal }: HelpProps): ReactNode {
  const { rich, t } = useSpeech();
  switch (remedy) {
    case "wait":
      return rich("requests.help_wait", { time: <Time at={refusal.resets_at ?? ""} as="exact" /> });
    case "raise":
      return <TextLink to={`/keys/${receipt.key_id}`}>{t("requests.help_raise")}</TextLink>;
    case "top_up":
      return <TextLink to="/wallet">{t("requests.help_top_up")}</TextLink>;
    case "cheaper":
    case "later":
      return t(`requests.help_${remedy}`);
  }
}
