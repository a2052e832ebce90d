import { useSpeech } from "../../i18n/language.tsx";
import { emailError, errorsOf, newPasswordError, requiredError } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Field, Input } from "../../ui/field.tsx";
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
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <FormProblem words={form.problem} />
      {company && (
        <Field label={t("auth.company")} hint={t("auth.companyHint")} error={form.errors.company}>
          <Input
            autoComplete="organization"
            required
            autoFocus
            maxLength={100}
            value={form.values.company}
            onValueChange={(value) => form.set("company", value)}
          />
        </Field>
      )}
      <Field label={t("auth.yourName")} error={form.errors.name}>
        <Input
          autoComplete="name"
          required
          autoFocus={!company}
          maxLength={100}
          value={form.values.name}
          onValueChange={(value) => form.set("name", value)}
        />
      </Field>
      <Field label={t("auth.email")} error={form.errors.email}>
        <Input
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          value={form.values.email}
          onValueChange={(value) => form.set("email", value)}
        />
      </Field>
      <PasswordField
        label={t("auth.password")}
        error={form.errors.password}
        value={form.values.password}
        onChange={(value) => form.set("password", value)}
      />
      <Button type="submit" kind="primary" busy={form.busy}>
        {action}
      </Button>
    </form>
  );
}
