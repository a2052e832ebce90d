import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney } from "../../lib/format.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { MoneyFields, useMoneyForm } from "./money-form.tsx";

interface CreditDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

export function CreditDialog({ account, onClose }: CreditDialogProps) {
  const { t, locale } = useSpeech();
  const toast = useToast();
  const { name } = account;
  const form = useMoneyForm({
    account,
    move: "credit",
    onDone: (amount) => {
      toast.done(t("operatorAccounts.credited", { amount: formatMoney(amount, locale), name }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("operatorAccounts.creditTitle", { name })}
      description={t("operatorAccounts.creditHint")}
      action={t("operatorAccounts.credit")}
    >
      <MoneyFields form={form} />
    </FormDialog>
  );
}
