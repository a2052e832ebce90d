import { useState } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { readAmount } from "../../lib/decimal.ts";
import { useForm } from "../../lib/form.ts";
import { newIntent } from "../../lib/intent.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useAccountMoneyMoved } from "./money-moved.ts";
import { ACCOUNTS } from "./paths.ts";

interface MoneyFormOptions {
  readonly account: OperatorAccount;
  readonly move: "credit" | "refund";
  readonly onDone: (amount: string) => void;
}

/** An amount and a note that move money by hand, once, however often the answer is lost. */
export function useMoneyForm({ account, move, onDone }: MoneyFormOptions) {
  const { t } = useSpeech();
  const moneyMoved = useAccountMoneyMoved(account);
  const [intent] = useState(newIntent);
  return useForm({
    initial: { amount: "", note: "" },
    check: (values) => {
      const amount = readAmount(values.amount);
      return amount === undefined || amount === "0" ? { amount: t("errors.amount") } : {};
    },
    submit: async (values) => {
      const amount = readAmount(values.amount) ?? "";
      const wish = { amount, note: values.note.trim() };
      // Another amount is another intent.
      await api.post(`${ACCOUNTS}/${account.id}/${move}`, wish, { intent: `${intent}-${amount}` });
      await moneyMoved();
      onDone(amount);
    },
  });
}

export function MoneyFields({ form }: { readonly form: ReturnType<typeof useMoneyForm> }) {
  const { t } = useSpeech();
  return (
    <>
      <TextField form={form} name="amount" label={t("operatorAccounts.amount")} autoFocus money />
      <TextField
        form={form}
        name="note"
        label={t("operatorAccounts.note")}
        optional
        hint={t("operatorAccounts.noteHint")}
        maxLength={200}
      />
    </>
  );
}
