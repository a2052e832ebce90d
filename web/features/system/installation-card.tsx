import type { InstallationSettings } from "../../../src/console/operator/contract/settings.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh, useResource } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SIGNUP_MODES } from "./choices.ts";
import {
  bodyOf,
  checkInstallation,
  fieldOf,
  type InstallationValues,
  valuesOf,
} from "./installation-form.ts";

export const SETTINGS = "/api/operator/settings";

/** Who may come, and in which money amounts are shown beside dollars. */
export function InstallationCard() {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const settings = useResource<InstallationSettings>(SETTINGS);
  const waiting = settings.error ? (
    <FormProblem words={wordsOf(settings.error)} />
  ) : (
    <Skeleton className="h-36 w-full" />
  );
  return (
    <Card title={t("system.people")}>
      {settings.data ? <InstallationForm settings={settings.data} /> : waiting}
    </Card>
  );
}

function InstallationForm({ settings }: { readonly settings: InstallationSettings }) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const form = useForm<InstallationValues>({
    initial: valuesOf(settings),
    check: (values) => checkInstallation(values, t),
    fieldOf,
    submit: async (values) => {
      await api.put(SETTINGS, bodyOf(values, settings));
      refresh([SETTINGS, "/api/me"]);
      form.stored(values);
    },
    done: t("system.saved"),
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <FormProblem words={form.problem} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Fields form={form} />
      </div>
      <Button type="submit" kind="primary" busy={form.busy} className="self-start">
        {t("words.save")}
      </Button>
    </form>
  );
}

function Fields({ form }: { readonly form: ReturnType<typeof useForm<InstallationValues>> }) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  return (
    <>
      <Field
        label={t("system.signup")}
        hint={t(`system.signupHint_${values.signup}`)}
        error={errors.signup}
      >
        <Select
          value={values.signup}
          choices={SIGNUP_MODES.map((value) => ({ value, label: t(`system.signup_${value}`) }))}
          onChange={(value) => set("signup", value)}
        />
      </Field>
      <TextField
        form={form}
        name="signup_credit"
        label={t("system.signupCredit")}
        hint={t("system.signupCreditHint")}
        money
      />
      <TextField
        form={form}
        name="code"
        label={t("system.currency")}
        optional
        hint={t("system.currencyHint")}
        mono
        maxLength={3}
        placeholder="CNY"
      />
      <TextField
        form={form}
        name="rate"
        label={t("system.rate")}
        hint={t("system.rateHint")}
        inputMode="decimal"
        placeholder="7.1"
        disabled={values.code.trim() === ""}
      />
    </>
  );
}
