import { useSpeech } from "../../i18n/language.tsx";
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "../../lib/checks.ts";
import { TextField, type TextForm } from "../../ui/text-field.tsx";

interface PasswordFieldProps {
  readonly form: TextForm<"password">;
  readonly label: string;
}

/** A password that is chosen now. */
export function PasswordField({ form, label }: PasswordFieldProps) {
  const { t } = useSpeech();
  return (
    <TextField
      form={form}
      name="password"
      label={label}
      hint={t("auth.passwordHint")}
      type="password"
      autoComplete="new-password"
      required
      minLength={PASSWORD_CHARS_MIN}
      maxLength={PASSWORD_CHARS_MAX}
    />
  );
}
