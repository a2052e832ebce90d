import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useToast } from "../../ui/toast.tsx";
import { useMoneyMoved } from "./money-moved.ts";

interface RedeemDialogProps {
  readonly onClose: () => void;
}

export function RedeemDialog({ onClose }: RedeemDialogProps) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const toast = useToast();
  const moneyMoved = useMoneyMoved();
  const form = useForm({
    initial: { code: "" },
    check: ({ code }) => (code.trim() === "" ? { code: t("errors.required") } : {}),
    submit: async ({ code }) => {
      const answer = await api.post<{ amount: string }>(path("/codes/redeem"), {
        code: code.trim(),
      });
      onClose();
      toast.done(t("wallet.redeemed", { amount: formatMoney(answer.amount, locale) }));
      await moneyMoved();
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="redeem" busy={form.busy}>
        {t("wallet.redeemAction")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("wallet.redeemTitle")}
      description={t("wallet.redeemHint")}
      footer={footer}
    >
      <form id="redeem" onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <FormProblem words={form.problem} />
        <Field label={t("wallet.code")} error={form.errors.code}>
          <Input
            autoFocus
            mono
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            placeholder="FG-XXXXX-XXXXX-XXXXX-XXXXX"
            value={form.values.code}
            onValueChange={(value) => form.set("code", value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
