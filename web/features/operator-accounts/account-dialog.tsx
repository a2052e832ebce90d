import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { changed } from "../../lib/forms/changed.ts";
import { useRefresh } from "../../lib/queries.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { AccountFields } from "./account-fields.tsx";
import { ACCOUNTS } from "./paths.ts";

interface AccountDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

/** What an account is called, and whether it may go below zero. */
export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const before = { name: account.name, hard: account.hard };
  const form = useForm({
    initial: before,
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: async (values) => {
      const name = values.name.trim();
      await api.patch(`${ACCOUNTS}/${account.id}`, changed({ ...values, name }, before));
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
