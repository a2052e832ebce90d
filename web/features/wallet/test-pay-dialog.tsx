import { FlaskConical } from "lucide-react";
import type { Order } from "../../../src/payments/contract/orders.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { type Closes, Decision, Dialog } from "../../ui/dialogs/dialog.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { moneyPaths } from "./money-paths.ts";

/** Stands where a provider's page would be, and says that it is none. */
export function TestPayDialog({ order, onClose }: Closes & { readonly order: Order }) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const amount = formatMoney(order.amount, locale);
  const pay = useAction(() => api.post<Order>(path(`/orders/${order.id}/test-pay`)), {
    done: t("wallet.testPaid", { amount }),
    onDone: onClose,
    refresh: moneyPaths(path),
  });
  const footer = (
    <Decision onClose={onClose} busy={pay.busy} onClick={() => pay.run()}>
      {t("wallet.testConfirm")}
    </Decision>
  );
  return (
    <Dialog busy={pay.busy} onClose={onClose} title={t("wallet.testTitle")} footer={footer}>
      <Notice tone="warn" icon={<FlaskConical size={16} />}>
        {t("wallet.testHint", { amount })}
      </Notice>
      <p className="mt-4 text-center text-3xl font-semibold tabular-nums">{amount}</p>
      <p className="mt-1 text-center font-mono text-xs break-all text-muted">{order.id}</p>
    </Dialog>
  );
}
