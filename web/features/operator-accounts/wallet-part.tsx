import { Plus, Undo2 } from "lucide-react";
import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Balance } from "../../ui/balance.tsx";
import { Button } from "../../ui/button.tsx";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { PaymentsTab } from "../wallet/payments-tab.tsx";
import { Statement } from "../wallet/statement.tsx";
import { useAccountInView } from "./account-in-view.ts";

const MoneyDialog = lazyPart(() => import("./money-dialog.tsx"), "MoneyDialog");
const RefundDialog = lazyPart(() => import("../wallet/refund-dialog.tsx"), "RefundDialog");

/** The account's money as its people see it, with what only operators do to it. */
export function WalletPart() {
  const { t } = useSpeech();
  const { path } = useSession();
  const account = useAccountInView();
  const { data: wallet } = useResource<Wallet>(path("/wallet"));
  const { values, set } = useFilters(["tab", "dialog"]);
  const close = () => set({ dialog: undefined });
  const byCard = wallet !== undefined && compareDecimals(wallet.refundable, "0") > 0;
  // Links of the account's own pages say "top up"; here that is a credit.
  const crediting = values.dialog === "credit" || values.dialog === "topup";
  const actions = (
    <>
      {/* There from the start, as on the account's own page: on a phone it would push down what stands below. */}
      <Button disabled={!byCard} onClick={() => set({ dialog: "refund" })}>
        {t("operatorAccounts.toCard")}
      </Button>
      <Button onClick={() => set({ dialog: "giveback" })}>
        <Undo2 size={15} />
        {t("operatorAccounts.giveBack")}
      </Button>
      <Button kind="primary" onClick={() => set({ dialog: "credit" })}>
        <Plus size={16} />
        {t("operatorAccounts.credit")}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader title={t("nav.wallet")} actions={actions} />
      <div className="flex flex-col gap-5">
        <Numbers wallet={wallet} />
        <Tabs
          label={t("nav.wallet")}
          value={values.tab ?? "statement"}
          onChange={(tab) => set({ tab: tab === "statement" ? undefined : tab })}
          tabs={[
            { value: "statement", label: t("wallet.statement"), content: <Statement /> },
            { value: "payments", label: t("wallet.payments"), content: <PaymentsTab /> },
          ]}
        />
      </div>
      {crediting && <MoneyDialog account={account} move="credit" onClose={close} />}
      {wallet && values.dialog === "giveback" && (
        <MoneyDialog account={account} move="refund" balance={wallet.balance} onClose={close} />
      )}
      {wallet && values.dialog === "refund" && <RefundDialog wallet={wallet} onClose={close} />}
    </>
  );
}

function Numbers({ wallet }: { readonly wallet: Wallet | undefined }) {
  const { t } = useSpeech();
  const money = (amount: string | undefined) => amount && <Money amount={amount} />;
  const balance = wallet && <Balance amount={wallet.balance} />;
  return (
    <StatRow>
      <Stat label={t("operatorAccounts.balance")} value={balance} />
      <Stat label={t("operatorAccounts.held")} value={money(wallet?.held)} />
      <Stat label={t("operatorAccounts.creditedAll")} value={money(wallet?.credited)} />
      <Stat label={t("operatorAccounts.chargedAll")} value={money(wallet?.charged)} />
    </StatRow>
  );
}
