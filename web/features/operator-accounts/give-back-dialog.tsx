import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney } from "../../lib/format.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { MoneyFields, useMoneyForm } from "./money-form.tsx";

interface GiveBackDialogProps {
  readonly account: OperatorAccount;
  readonly wallet: Wallet;
  readonly onClose: () => void;
}

/** Takes from the balance what goes back by a transfer of one's own, or was credited by mistake. */
export function GiveBackDialog({ account, wallet, onClose }: GiveBackDialogProps) {
  const { t, locale } = useSpeech();
  const toast = useToast();
  const { name } = account;
  const form = useMoneyForm({
    account,
    move: "refund",
    onDone: (amount) => {
      toast.done(t("operatorAccounts.gaveBack", { amount: formatMoney(amount, locale), name }));
      onClose();
    },
  });
  const balance = formatMoney(wallet.balance, locale);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("operatorAccounts.giveBackTitle", { name })}
      description={t("operatorAccounts.giveBackHint", { balance })}
      action={t("operatorAccounts.giveBack")}
      danger
    >
      <MoneyFields form={form} />
    </FormDialog>
  );
}
