import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, Clock, Info, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { Order } from "../../../src/payments/contract/orders.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { formatMoney } from "../../lib/format.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const ASK_AGAIN_MS = 2_000;

/** What became of the payment or the card, for those who come back from a provider's page. */
export function ReturnNotice() {
  const { t } = useSpeech();
  const { values, clear } = useFilters(["order", "outcome", "auto_topup"]);
  const dismiss = (
    <IconButton label={t("words.close")} onClick={clear} className="-my-1.5 -mr-2">
      <X size={15} />
    </IconButton>
  );
  if (values.auto_topup) {
    const saved = values.auto_topup === "saved";
    return (
      <Notice tone={saved ? "good" : "neutral"} icon={<Info size={16} />} action={dismiss}>
        {t(saved ? "wallet.cardSaved" : "wallet.cardCancelled")}
      </Notice>
    );
  }
  if (!values.order) return null;
  if (values.outcome === "cancelled") {
    return (
      <Notice icon={<Info size={16} />} action={dismiss}>
        {t("wallet.orderCancelled")}
      </Notice>
    );
  }
  return <OrderNotice id={values.order} dismiss={dismiss} />;
}

const WAITING = { tone: "accent", icon: Clock, words: "wallet.orderWaiting" } as const;
const OVER = { tone: "bad", icon: TriangleAlert, words: "wallet.orderOver" } as const;
const PAID = { tone: "good", icon: CircleCheck, words: "wallet.orderPaid" } as const;
const SAID = { created: WAITING, failed: OVER, expired: OVER, paid: PAID, refunded: PAID } as const;

function OrderNotice({ id, dismiss }: { readonly id: string; readonly dismiss: ReactNode }) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const client = useQueryClient();
  const url = path(`/orders/${encodeURIComponent(id)}`);
  const known = client.getQueryData<Order>([url, {}]);
  const waits = known === undefined || known.status === "created";
  const { data: order, isPending } = useResource<Order>(
    url,
    {},
    waits ? { refetchMs: ASK_AGAIN_MS } : {},
  );
  const paid = order?.status === "paid";
  // The credit is in the balance from the moment at which the order is paid.
  useEffect(() => {
    if (!paid) return;
    for (const rest of ["/wallet", "/entries", "/orders"]) {
      void client.invalidateQueries({ queryKey: [path(rest)] });
    }
  }, [paid, client, path]);
  if (!order) return isPending ? <Skeleton className="h-15 w-full sm:h-10" /> : null;
  const amount = formatMoney(order.amount, locale);
  const { tone, icon: Icon, words } = SAID[order.status];
  return (
    <Notice tone={tone} icon={<Icon size={16} />} action={dismiss}>
      {t(words, { amount })}
    </Notice>
  );
}
