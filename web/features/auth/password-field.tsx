import { useSpeech } from "../../i18n/language.tsx";
import { TextField, type TextForm } from "../../ui/text-field.tsx";

interface PasswordFieldProps {
  readonly form: TextForm<"password">;
  readonly label: string;
}

const CHARACTERS_MIN = 10;
const CHARACTERS_MAX = 128;

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
      minLength={CHARACTERS_MIN}
      maxLength={CHARACTERS_MAX}
    />
  );
}
