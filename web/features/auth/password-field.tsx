import { useSpeech } from "../../i18n/language.tsx";
import { Field, Input } from "../../ui/field.tsx";

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

const CHARACTERS_MIN = 10;
const CHARACTERS_MAX = 128;

/** A password that is chosen now. */
export function PasswordField({ label, value, error, onChange }: PasswordFieldProps) {
  const { t } = useSpeech();
  return (
    <Field label={label} hint={t("auth.passwordHint")} error={error}>
      <Input
        type="password"
        autoComplete="new-password"
        required
        minLength={CHARACTERS_MIN}
        maxLength={CHARACTERS_MAX}
        value={value}
        onValueChange={onChange}
      />
    </Field>
  );
}
