import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useHasPassword } from "./ways.ts";

interface ProofDialogProps {
  readonly title: string;
  readonly hint?: string;
  readonly action: string;
  readonly danger?: boolean;
  /** Gets the password, or an empty text from whoever has none. */
  readonly submit: (password: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the password before something delicate. */
export function ProofDialog({ title, hint, action, danger, submit, onClose }: ProofDialogProps) {
  const { t } = useSpeech();
  const hasPassword = useHasPassword();
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) =>
      hasPassword && password === "" ? { password: t("errors.required") } : {},
    submit: ({ password }) => submit(password),
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind={danger ? "danger" : "primary"} type="submit" form="proof" busy={form.busy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} description={hint} footer={footer}>
      <form id="proof" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        {hasPassword ? (
          <Field label={t("settings.confirmPassword")} error={form.errors.password}>
            <Input
              autoFocus
              type="password"
              autoComplete="current-password"
              value={form.values.password}
              onValueChange={(value) => form.set("password", value)}
            />
          </Field>
        ) : (
          <p className="text-sm text-muted">{t("settings.confirmSelf")}</p>
        )}
      </form>
    </Dialog>
  );
}
