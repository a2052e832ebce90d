import { useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { readAmount } from "../../lib/decimal.ts";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useToast } from "../../ui/toast.tsx";
import { ACCOUNTS, type OperatorAccount } from "./contract.ts";

interface CreditDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

function useCreditForm({ account, onClose }: CreditDialogProps) {
  const { t, locale } = useSpeech();
  const client = useQueryClient();
  const toast = useToast();
  const { id, name } = account;
  return useForm({
    initial: { amount: "", note: "" },
    check: (values) => {
      const amount = readAmount(values.amount);
      return amount === undefined || amount === "0" ? { amount: t("errors.amount") } : {};
    },
    submit: async (values) => {
      const amount = readAmount(values.amount) ?? "";
      await api.post(`${ACCOUNTS}/${id}/credit`, { amount, note: values.note.trim() });
      await Promise.all([
        client.invalidateQueries({ queryKey: [ACCOUNTS] }),
        // The balance of the operator's own account stands beside its name.
        client.invalidateQueries({ queryKey: ["/api/me"] }),
      ]);
      toast.done(t("operatorAccounts.credited", { amount: formatMoney(amount, locale), name }));
      onClose();
    },
  });
}

export function CreditDialog({ account, onClose }: CreditDialogProps) {
  const { t } = useSpeech();
  const form = useCreditForm({ account, onClose });
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
      title={t("operatorAccounts.creditTitle", { name: account.name })}
      description={t("operatorAccounts.creditHint")}
      footer={footer}
    >
      <form id="credit" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <Field label={t("operatorAccounts.amount")} error={form.errors.amount}>
          <Input
            autoFocus
            prefix="$"
            inputMode="decimal"
            value={form.values.amount}
            onValueChange={(value) => form.set("amount", value)}
          />
        </Field>
        <Field
          label={t("operatorAccounts.note")}
          optional={t("words.optional")}
          hint={t("operatorAccounts.noteHint")}
          error={form.errors.note}
        >
          <Input
            maxLength={200}
            value={form.values.note}
            onValueChange={(value) => form.set("note", value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
