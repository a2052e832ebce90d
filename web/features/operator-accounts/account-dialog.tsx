import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { changed } from "../../lib/forms/changed.ts";
import { useRefresh } from "../../lib/queries.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { AccountFields } from "./account-fields.tsx";
import { badAccount, overdraftOf } from "./account-form.ts";
import { ACCOUNTS } from "./paths.ts";

interface AccountDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

/** The settings of an account: its name, its overdraft, and whether its budgets are hard. */
export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const { overdraft } = account;
  const before = { name: account.name, hard: account.hard, overdraft };
  const form = useForm({
    initial: { ...before, overdraft: readAmount(overdraft) ?? overdraft },
    check: (values) => badAccount(values, t),
    submit: async (values) => {
      const name = values.name.trim();
      await api.patch(
        `${ACCOUNTS}/${account.id}`,
        changed({ ...values, name, overdraft: overdraftOf(values) }, before),
      );
      refresh([ACCOUNTS, "/api/operator/audit", "/api/me"]);
      toast.done(t("operatorAccounts.saved", { name }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("operatorAccounts.editTitle", { name: account.name })}
      action={t("words.save")}
    >
      <AccountFields form={form} />
    </FormDialog>
  );
}
