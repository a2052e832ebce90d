import { useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { useToast } from "../../ui/toast.tsx";
import { ACCOUNTS, type OperatorAccount } from "./contract.ts";

interface AccountDialogProps {
  /** Absent for a new one. */
  readonly account?: OperatorAccount;
  readonly onClose: () => void;
}

function useAccountForm({ account, onClose }: AccountDialogProps) {
  const { t } = useSpeech();
  const client = useQueryClient();
  const toast = useToast();
  return useForm({
    initial: { name: account?.name ?? "", hard: account?.hard ?? false },
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: async (values) => {
      const name = values.name.trim();
      const wish = { name, hard: values.hard };
      if (account) await api.patch(`${ACCOUNTS}/${account.id}`, wish);
      else await api.post(ACCOUNTS, wish);
      await client.invalidateQueries({ queryKey: [ACCOUNTS] });
      toast.done(t(account ? "operatorAccounts.saved" : "operatorAccounts.created", { name }));
      onClose();
    },
  });
}

export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { t } = useSpeech();
  const form = useAccountForm({ ...(account && { account }), onClose });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="account" busy={form.busy}>
        {t(account ? "words.save" : "operatorAccounts.create")}
      </Button>
    </>
  );
  const title = account
    ? t("operatorAccounts.editTitle", { name: account.name })
    : t("operatorAccounts.createTitle");
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={account ? undefined : t("operatorAccounts.createHint")}
      footer={footer}
    >
      <form id="account" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <Field label={t("operatorAccounts.name")} error={form.errors.name}>
          <Input
            autoFocus
            maxLength={100}
            placeholder={t("operatorAccounts.namePlaceholder")}
            value={form.values.name}
            onValueChange={(value) => form.set("name", value)}
          />
        </Field>
        <Checkbox
          label={t("operatorAccounts.hard")}
          hint={t("operatorAccounts.hardHint")}
          checked={form.values.hard}
          onChange={(value) => form.set("hard", value)}
        />
      </form>
    </Dialog>
  );
}
