import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import type { MovedByHand } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { formatLeft, formatMoney } from "../../lib/format.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { useMoveMoney } from "../../lib/intents/kept-intents.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { moveError } from "./move-amount.ts";
import { ACCOUNTS } from "./paths.ts";

interface MoneyDialogProps {
  readonly account: OperatorAccount;
  /** A refund takes what goes back by a transfer of one's own, or was credited by mistake. */
  readonly move: "credit" | "refund";
  /** What there is to give back. */
  readonly balance?: string;
  readonly onClose: () => void;
}

const DONE = {
  credit: { now: "operatorAccounts.credited", before: "operatorAccounts.creditedBefore" },
  refund: { now: "operatorAccounts.gaveBack", before: "operatorAccounts.gaveBackBefore" },
} as const;

/** An amount and a note that move money by hand, once, however often the answer is lost. */
function useMoneyForm({ account, move, onClose }: MoneyDialogProps) {
  const { t, locale } = useSpeech();
  const moveMoney = useMoveMoney();
  const { id, name } = account;
  return useForm({
    initial: { amount: "", note: "" },
    check: (values) => {
      const error = moveError(values.amount, t);
      return error === undefined ? {} : { amount: error };
    },
    submit: (values) => {
      const amount = readAmount(values.amount) ?? "";
      const body = { amount, note: values.note.trim() };
      return moveMoney<MovedByHand>(`${ACCOUNTS}/${id}/${move}`, body);
    },
    done: ({ amount, replayed }) =>
      t(DONE[move][replayed ? "before" : "now"], { amount: formatMoney(amount, locale), name }),
    onDone: onClose,
    // Everything that shows the balance; one's own stands beside its name.
    refresh: [ACCOUNTS, `/api/accounts/${id}/`, "/api/operator/audit", "/api/me"],
  });
}

export function MoneyDialog(props: MoneyDialogProps) {
  const { account, move, balance = account.balance, onClose } = props;
  const { t, locale } = useSpeech();
  const form = useMoneyForm(props);
  const { name } = account;
  const words =
    move === "credit"
      ? {
          title: t("operatorAccounts.creditTitle", { name }),
          description: t("operatorAccounts.creditHint"),
          action: t("operatorAccounts.credit"),
        }
      : {
          title: t("operatorAccounts.giveBackTitle", { name }),
          description: t("operatorAccounts.giveBackHint", {
            balance: formatLeft(balance, locale),
          }),
          action: t("operatorAccounts.giveBack"),
        };
  return (
    <FormDialog form={form} onClose={onClose} {...words} danger={move === "refund"}>
      <TextField form={form} name="amount" label={t("operatorAccounts.amount")} autoFocus money />
      <TextField
        form={form}
        name="note"
        label={t("operatorAccounts.note")}
        optional
        hint={t("operatorAccounts.noteHint")}
        maxLength={200}
      />
    </FormDialog>
  );
}
