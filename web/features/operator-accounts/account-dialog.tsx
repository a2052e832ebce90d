import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useToast } from "../../ui/toast.tsx";
import { AccountFields } from "./account-fields.tsx";
import { ACCOUNTS, type OperatorAccount } from "./contract.ts";

interface AccountDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

/** What an account is called, and whether it may go below zero. */
export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const form = useForm({
    initial: { name: account.name, hard: account.hard },
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: async (values) => {
      const name = values.name.trim();
      await api.patch(`${ACCOUNTS}/${account.id}`, { name, hard: values.hard });
      await refresh([ACCOUNTS, "/api/operator/audit", "/api/me"]);
      toast.done(t("operatorAccounts.saved", { name }));
      onClose();
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="account" busy={form.busy}>
        {t("words.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("operatorAccounts.editTitle", { name: account.name })}
      footer={footer}
    >
      <form id="account" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <AccountFields values={form.values} errors={form.errors} set={form.set} />
      </form>
    </Dialog>
  );
}
