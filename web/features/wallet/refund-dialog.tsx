import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { formatLeft, formatMoney } from "../../lib/format.ts";
import { useMoveMoney } from "../../lib/intents/kept-intents.ts";
import { useSession } from "../../lib/session.tsx";
import type { Closes } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { moneyPaths } from "./money-paths.ts";
import { checkAmount } from "./payment.ts";

const REFUND_MIN = "0.01";

/** What goes back to a card, once, however often the answer is lost. */
export function RefundDialog({ wallet, onClose }: Closes & { readonly wallet: Wallet }) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const max = wallet.refundable;
  const moveMoney = useMoveMoney();
  const checked = (typed: string) => checkAmount(typed, t, locale, { min: REFUND_MIN, max });
  const form = useForm({
    initial: { amount: max },
    check: ({ amount }) => {
      const { error } = checked(amount);
      return error ? { amount: error } : {};
    },
    submit: ({ amount }) => moveMoney(path("/refunds"), { amount: checked(amount).amount ?? "" }),
    done: t("wallet.refundBegun"),
    onDone: onClose,
    refresh: moneyPaths(path),
  });
  const { amount } = checked(form.values.amount);
  const hint = t("wallet.refundHint", { amount: formatLeft(max, locale) });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("wallet.refundTitle")}
      description={wallet.auto_topup?.enabled ? `${hint} ${t("wallet.refundAutoOff")}` : hint}
      action={
        amount
          ? t("wallet.refundAction", { amount: formatMoney(amount, locale) })
          : t("wallet.refund")
      }
      danger
    >
      <TextField form={form} name="amount" label={t("wallet.amount")} autoFocus money />
    </FormDialog>
  );
}
