import { CreditCard } from "lucide-react";
import { useState } from "react";
import type { Order, Refund } from "../../../src/payments/contract/orders.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { moneyValue } from "../../lib/sorting.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { column, moneyColumn, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { formatCurrency, isPaidOtherwise } from "./payment.ts";
import { TopUpLink } from "./top-up-link.tsx";

const TestPayDialog = lazyPart(() => import("./test-pay-dialog.tsx"), "TestPayDialog");

const TONES: Readonly<Record<Order["status"] | Refund["status"], Tone>> = {
  created: "accent",
  paid: "good",
  failed: "bad",
  expired: "neutral",
  refunded: "neutral",
  pending: "accent",
  done: "good",
};

export function PaymentsTab() {
  const { t } = useSpeech();
  const { path } = useSession();
  const [testing, setTesting] = useState<Order>();
  const rows = useRows<Order>(path("/orders"));
  const columns = useColumns(orderColumns, setTesting);
  return (
    <div className="flex flex-col gap-5">
      <Card flush>
        <DataTable
          label={t("wallet.paymentsLabel")}
          columns={columns}
          rows={rows}
          empty={
            <EmptyState
              icon={<CreditCard size={28} />}
              title={t("wallet.paymentsEmpty")}
              action={<TopUpLink />}
            >
              {t("wallet.paymentsEmptyHint")}
            </EmptyState>
          }
        />
      </Card>
      <RefundsCard />
      {testing && <TestPayDialog order={testing} onClose={() => setTesting(undefined)} />}
    </div>
  );
}

function orderColumns({ t }: Speech, onTest: (order: Order) => void): readonly Column<Order>[] {
  return [
    { id: "way", header: t("wallet.order"), cell: (order) => <OrderName order={order} /> },
    timeColumn("at", t("words.created"), (order) => order.created_at, { wide: true }),
    column("amount", t("wallet.amount"), (order) => <OrderAmount order={order} />, {
      align: "right",
      sort: (order) => moneyValue(order.amount),
    }),
    column("status", t("words.status"), (order) => <OrderState order={order} onTest={onTest} />, {
      sort: (order) => order.status,
    }),
  ];
}

/** What is credited and, where something else was paid for it, that. */
function OrderAmount({ order }: { readonly order: Order }) {
  const { t, locale } = useSpeech();
  const paid =
    isPaidOtherwise(order) && formatCurrency(order.payment_amount, order.payment_currency, locale);
  return (
    <>
      <Money amount={order.amount} />
      {paid && (
        <span className="block text-xs text-muted">{t("wallet.paid", { amount: paid })}</span>
      )}
    </>
  );
}

function OrderName({ order }: { readonly order: Order }) {
  const { t } = useSpeech();
  const { provider, method } = order;
  const id = provider !== "epay" ? provider : method === "wxpay" ? "wxpay" : "alipay";
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-1.5 font-medium">
        {t(`wallet.way_${id}`)}
        {order.test && <Badge tone="warn">{t("wallet.testBadge")}</Badge>}
        {order.automatic && <Badge>{t("wallet.automaticBadge")}</Badge>}
      </p>
      <p className="max-w-36 truncate font-mono text-xs text-muted sm:max-w-none">{order.id}</p>
    </div>
  );
}

interface OrderStateProps {
  readonly order: Order;
  readonly onTest: (order: Order) => void;
}

function OrderState({ order, onTest }: OrderStateProps) {
  const { t, locale } = useSpeech();
  const { may } = useSession();
  const partly = order.status === "paid" && compareDecimals(order.refunded, "0") > 0;
  const open = order.status === "created" && may("owner");
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span title={order.failure ?? undefined}>
        <Badge tone={TONES[order.status]}>{t(`wallet.status_${order.status}`)}</Badge>
      </span>
      {partly && (
        <span className="text-[13px] text-muted">
          {t("wallet.refundedPart", { amount: formatMoney(order.refunded, locale) })}
        </span>
      )}
      {open && order.checkout_url && (
        <a href={order.checkout_url} className={buttonClass("plain", "small")}>
          {t("wallet.continue")}
        </a>
      )}
      {open && order.test && (
        <Button size="small" onClick={() => onTest(order)}>
          {t("wallet.continue")}
        </Button>
      )}
    </div>
  );
}

function refundColumns({ t }: Speech): readonly Column<Refund>[] {
  return [
    column("order", t("wallet.order"), (refund) => (
      <span className="block max-w-36 truncate font-mono text-xs sm:max-w-none">
        {refund.order_id}
      </span>
    )),
    timeColumn("at", t("words.created"), (refund) => refund.created_at, { wide: true }),
    moneyColumn("amount", t("wallet.amount"), (refund) => refund.amount),
    {
      id: "status",
      header: t("words.status"),
      sort: (refund) => refund.status,
      cell: (refund) => (
        <span title={refund.failure ?? undefined}>
          <Badge tone={TONES[refund.status]}>{t(`wallet.status_${refund.status}`)}</Badge>
        </span>
      ),
    },
  ];
}

function RefundsCard() {
  const { t } = useSpeech();
  const { path } = useSession();
  const rows = useRows<Refund>(path("/refunds"));
  const columns = useColumns(refundColumns);
  // Most accounts never have one, and an empty card would only be in the way.
  if (!rows.data?.length) return null;
  return (
    <Card flush title={t("wallet.refunds")}>
      <DataTable label={t("wallet.refundsLabel")} columns={columns} rows={rows} empty={null} />
    </Card>
  );
}
