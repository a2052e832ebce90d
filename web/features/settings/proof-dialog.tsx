import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
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
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={title}
      description={hint}
      action={action}
      danger={danger}
    >
      {hasPassword ? (
        <TextField
          form={form}
          name="password"
          label={t("settings.confirmPassword")}
          autoFocus
          type="password"
          autoComplete="current-password"
        />
      ) : (
        <p className="text-sm text-muted">{t("settings.confirmSelf")}</p>
      )}
    </FormDialog>
  );
}
