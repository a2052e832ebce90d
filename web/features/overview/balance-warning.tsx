import { TriangleAlert } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { formatLeft } from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { useHeardBalance } from "./heard-balance.ts";
import { type Funds, warningOf } from "./runway.ts";

/**
 * What a balance like this means for requests, and who can do what about it. Until the page's own numbers
 * are there it goes by the balance that came with the session, so that nothing moves when they come.
 */
export function BalanceWarning({ funds: told }: { readonly funds: Funds | undefined }) {
  const { t, locale } = useSpeech();
  const { me, account, may } = useSession();
  useHeardBalance(told?.balance);
  const known = { balance: account.balance, credited: account.balance };
  // Whoever is in no account has no balance that could be low.
  const funds = told ?? (me.accounts.includes(account) ? known : undefined);
  const warning = funds && warningOf(funds);
  if (!funds || !warning) return null;
  const words = {
    below: () => t("overview.warning_below", { amount: formatLeft(funds.balance, locale) }),
    none: () => t("overview.warning_none"),
    empty: () => t("overview.warning_empty"),
    short: () => t("overview.warning_short"),
  };
  return (
    <Notice
      tone={warning === "short" ? "warn" : "bad"}
      icon={<TriangleAlert size={16} />}
      action={
        may("owner") && (
          <TextLink to="/wallet" search={{ dialog: "topup" }} className="shrink-0">
            {t("overview.topUp")}
          </TextLink>
        )
      }
    >
      {words[warning]()} {!may("owner") && t("overview.askOwner")}
    </Notice>
  );
}
