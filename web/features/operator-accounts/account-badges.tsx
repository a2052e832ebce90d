import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge } from "../../ui/badge.tsx";

/** What makes an account another than most. */
export function AccountBadges({ account }: { readonly account: OperatorAccount }) {
  const { t } = useSpeech();
  return (
    <>
      {account.operator && <Badge tone="accent">{t("operatorAccounts.operator")}</Badge>}
      {!account.enabled && <Badge tone="bad">{t("operatorAccounts.suspended")}</Badge>}
      {account.hard && <Badge>{t("operatorAccounts.strict")}</Badge>}
    </>
  );
}
