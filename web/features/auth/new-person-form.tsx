import { useSpeech } from "../../i18n/language.tsx";
import { emailError, errorsOf, newPasswordError, requiredError } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { GateForm } from "./gate.tsx";
import { PasswordField } from "./password-field.tsx";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Empty where it is not asked for. */
  readonly company: string;
}

interface NewPersonFormProps {
  readonly action: string;
  /** Known already, from an invitation. */
  readonly email?: string | undefined;
  /** Whose installation it is, is asked too. */
  readonly company?: boolean;
  readonly submit: (person: Person) => Promise<void>;
}

export function NewPersonForm({ action, email, company, submit }: NewPersonFormProps) {
  const { t } = useSpeech();
  const form = useForm<Person>({
    initial: { name: "", email: email ?? "", password: "", company: "" },
    check: (person) =>
      errorsOf({
        company: company ? requiredError(person.company, t) : undefined,
        name: requiredError(person.name, t),
        email: emailError(person.email, t),
        password: newPasswordError(person.password, t),
      }),
    submit,
  });
  return (
    <GateForm form={form} action={action}>
      {company && (
        <TextField
          form={form}
          name="company"
          label={t("auth.company")}
          hint={t("auth.companyHint")}
          autoComplete="organization"
          required
          autoFocus
          maxLength={100}
        />
      )}
      <TextField
        form={form}
        name="name"
        label={t("auth.yourName")}
        autoComplete="name"
        required
        autoFocus={!company}
        maxLength={100}
      />
      <TextField
        form={form}
        name="email"
        label={t("auth.email")}
        type="email"
        autoComplete="username"
        required
        readOnly={email !== undefined}
      />
      <PasswordField form={form} label={t("auth.password")} />
    </GateForm>
  );
}
