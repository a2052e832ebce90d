import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { OperatorAccount } from "./contract.ts";
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
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="credit" busy={form.busy}>
        {t("operatorAccounts.credit")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("operatorAccounts.creditTitle", { name })}
      description={t("operatorAccounts.creditHint")}
      footer={footer}
    >
      <MoneyFields id="credit" form={form} />
    </Dialog>
  );
}
