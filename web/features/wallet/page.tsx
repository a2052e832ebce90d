import { Plus, Ticket, TriangleAlert } from "lucide-react";
import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatLeft } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Balance } from "../../ui/balance.tsx";
import { Button } from "../../ui/button.tsx";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { BalanceWarning } from "../overview/balance-warning.tsx";
import { convertDown, formatCurrency, waysOf } from "./payment.ts";
import { ReturnNotice } from "./return-notice.tsx";
import { Statement } from "./statement.tsx";

const AlertsTab = lazyPart(() => import("./alerts-tab.tsx"), "AlertsTab");
const AutoTopUpTab = lazyPart(() => import("./auto-top-up.tsx"), "AutoTopUpTab");
const PaymentsTab = lazyPart(() => import("./payments-tab.tsx"), "PaymentsTab");
const RedeemDialog = lazyPart(() => import("./redeem-dialog.tsx"), "RedeemDialog");
const RefundDialog = lazyPart(() => import("./refund-dialog.tsx"), "RefundDialog");
const TopUpDialog = lazyPart(() => import("./top-up-dialog.tsx"), "TopUpDialog");

export function WalletPage() {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const { data: wallet, isPending } = useResource<Wallet>(path("/wallet"));
  // In the address, so that other pages and mails can link to a tab or a dialog.
  const { values, set } = useFilters(["tab", "dialog"]);
  const close = () => set({ dialog: undefined });
  const owner = may("owner");
  return (
    <>
      <PageHeader
        title={t("wallet.title")}
        description={t("wallet.description")}
        actions={owner && <Actions wallet={wallet} onOpen={(dialog) => set({ dialog })} />}
      />
      <div className="flex flex-col gap-5">
        <ReturnNotice />
        <BalanceWarning funds={wallet} />
        <Numbers wallet={wallet} />
        <TestCredit wallet={wallet} />
        {/* A notice may come above them, and whoever was about to press something would miss it. */}
        {isPending ? (
          <Skeleton className="h-96 w-full" />
        ) : (
          <WalletTabs wallet={wallet} tab={values.tab} onTab={(tab) => set({ tab })} />
        )}
      </div>
      {wallet && owner && (
        <>
          {values.dialog === "topup" && <TopUpDialog wallet={wallet} onClose={close} />}
          {values.dialog === "redeem" && <RedeemDialog onClose={close} />}
          {values.dialog === "refund" && <RefundDialog wallet={wallet} onClose={close} />}
        </>
      )}
    </>
  );
}

interface ActionsProps {
  readonly wallet: Wallet | undefined;
  readonly onOpen: (dialog: string) => void;
}

function Actions({ wallet, onOpen }: ActionsProps) {
  const { t } = useSpeech();
  const { me } = useSession();
  // Without a way to pay, customers have codes only.
  const payable = me.operator || !wallet || waysOf(wallet.providers).length > 0;
  const refundable = wallet && compareDecimals(wallet.refundable, "0") > 0;
  return (
    <>
      <Button kind="quiet" disabled={!refundable} onClick={() => onOpen("refund")}>
        {t("wallet.refund")}
      </Button>
      <Button kind={payable ? "plain" : "primary"} onClick={() => onOpen("redeem")}>
        <Ticket size={16} />
        {t("wallet.redeem")}
      </Button>
      {payable && (
        <Button kind="primary" onClick={() => onOpen("topup")}>
          <Plus size={16} />
          {t("wallet.topUp")}
        </Button>
      )}
    </>
  );
}

function Numbers({ wallet }: { readonly wallet: Wallet | undefined }) {
  const { t, locale } = useSpeech();
  const money = (amount: string | undefined) => amount && <Money amount={amount} />;
  const currency = wallet?.display_currency;
  const negative = wallet?.balance.startsWith("-");
  const about =
    wallet && currency && !negative
      ? t("wallet.balanceIn", {
          amount: formatCurrency(convertDown(wallet.balance, currency.rate), currency.code, locale),
        })
      : undefined;
  return (
    <StatRow>
      <Stat
        label={t("wallet.balance")}
        value={wallet && <Balance amount={wallet.balance} />}
        hint={about}
      />
      <Stat label={t("wallet.held")} value={money(wallet?.held)} hint={t("wallet.heldHint")} />
      <Stat
        label={t("wallet.credited")}
        value={money(wallet?.credited)}
        hint={t("wallet.creditedHint")}
      />
      <Stat label={t("wallet.charged")} value={money(wallet?.charged)} />
    </StatRow>
  );
}

function TestCredit({ wallet }: { readonly wallet: Wallet | undefined }) {
  const { t, locale } = useSpeech();
  if (!wallet || compareDecimals(wallet.test_credit, "0") <= 0) return null;
  return (
    <Notice tone="warn" icon={<TriangleAlert size={16} />}>
      {t("wallet.testCredit", { amount: formatLeft(wallet.test_credit, locale) })}
    </Notice>
  );
}

interface WalletTabsProps {
  readonly wallet: Wallet | undefined;
  readonly tab: string | undefined;
  readonly onTab: (tab: string | undefined) => void;
}

function WalletTabs({ wallet, tab, onTab }: WalletTabsProps) {
  const { t } = useSpeech();
  const tabs = [
    { value: "statement", label: t("wallet.statement"), content: <Statement /> },
    { value: "payments", label: t("wallet.payments"), content: <PaymentsTab /> },
    {
      value: "auto",
      label: t("wallet.autoTopUp"),
      content: wallet ? <AutoTopUpTab wallet={wallet} /> : null,
    },
    { value: "alerts", label: t("wallet.alerts"), content: <AlertsTab /> },
  ];
  const known = tabs.some(({ value }) => value === tab);
  return (
    <Tabs
      label={t("wallet.title")}
      tabs={tabs}
      value={known && tab ? tab : "statement"}
      onChange={(value) => onTab(value === "statement" ? undefined : value)}
    />
  );
}
