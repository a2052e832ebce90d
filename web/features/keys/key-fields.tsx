import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { dayIn } from "../../lib/format.ts";
import { PERIODS } from "../../lib/periods.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Checkbox } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ZoneField } from "../../ui/zone-field.tsx";
import { KEY_OPTIONS } from "./access-form.ts";
import { BudgetBound } from "./budget-meter.tsx";
import { LIMITS } from "./key-form.ts";
import { ModelPicker } from "./model-picker.tsx";
import type { KeyForm } from "./use-key-form.ts";

interface KeyFieldsProps {
  readonly form: KeyForm;
  /** Of a new key what few need at first is folded, and a limit that is left empty is the installation's. */
  readonly isNew?: boolean;
}

/** Everything that can be set of a key. */
export function KeyFields({ form, isNew = false }: KeyFieldsProps) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  const rest = (
    <>
      <Limits form={form} isNew={isNew} />
      <ModelPicker
        value={values.models}
        error={errors.models}
        onChange={(models) => set("models", models)}
      />
      <Access form={form} />
    </>
  );
  return (
    <div className="flex flex-col gap-5">
      <TextField
        form={form}
        name="name"
        label={t("keys.name")}
        hint={t("keys.nameHint")}
        autoFocus
        maxLength={100}
        placeholder={t("keys.namePlaceholder")}
      />
      <Budgets form={form} />
      {isNew ? <Folded form={form}>{rest}</Folded> : rest}
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

/** One amount for each period: together they hold, and the first that is used up stops the key. */
function Budgets({ form }: KeyFieldsProps) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  return (
    <Section title={t("keys.budgets")}>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
        {PERIODS.map((period) => (
          <TextField
            key={period}
            form={form}
            name={period}
            label={t(`keys.budget_${period}`)}
            money
          />
        ))}
        <ZoneField
          label={t("keys.budgetZone")}
          hint={t("keys.budgetZoneHint")}
          error={errors.zone}
          className="col-span-2 sm:col-span-4"
          value={values.zone}
          onChange={(zone) => set("zone", zone)}
        />
      </div>
      <div className="flex flex-col gap-1 text-[13px] text-muted">
        <p>{t("keys.budgetHint")}</p>
        <p>
          <BudgetBound />
        </p>
      </div>
    </Section>
  );
}

const FOLDED = [...LIMITS, "models", "expires_at", "networks"] as const;

/** Opens by itself where something in it is wrong. */
function Folded({ form, children }: KeyFieldsProps & { readonly children: ReactNode }) {
  const { t } = useSpeech();
  const wrong = FOLDED.some((name) => form.errors[name] !== undefined);
  return (
    <details className="group" {...(wrong && { open: true })}>
      <summary className="flex w-fit list-none items-center gap-1 rounded text-sm font-medium">
        <ChevronRight size={15} className="transition-transform group-open:rotate-90" />
        {t("keys.advanced")}
      </summary>
      <div className="mt-3 flex flex-col gap-5">{children}</div>
    </details>
  );
}

function Limits({ form, isNew }: KeyFieldsProps) {
  const { t } = useSpeech();
  return (
    <Section title={t("keys.limits")}>
      <div className="grid grid-cols-1 items-start gap-3 sm:grid-cols-3">
        {LIMITS.map((name) => (
          <TextField
            key={name}
            form={form}
            name={name}
            label={t(`keys.${name}`)}
            inputMode="numeric"
            placeholder={t(isNew ? "keys.limitDefault" : "words.unlimited")}
          />
        ))}
      </div>
    </Section>
  );
}

function Access({ form }: KeyFieldsProps) {
  const { t } = useSpeech();
  const zone = useTimeZone();
  const today = dayIn(useNow(), zone);
  const { values, set } = form;
  return (
    <Section title={t("keys.access")}>
      <div className="grid grid-cols-1 items-start gap-3 sm:grid-cols-2">
        <TextField
          form={form}
          name="expires_at"
          label={t("keys.expiresAt")}
          optional
          hint={t("keys.expiresHint", { zone })}
          type="date"
          min={today}
        />
        <TextField
          form={form}
          name="networks"
          label={t("keys.networks")}
          optional
          hint={t("keys.networksHint")}
          mono
          placeholder="10.0.0.0/8, 192.0.2.7"
        />
      </div>
      {KEY_OPTIONS.map((name) => (
        <Checkbox
          key={name}
          label={t(`keys.option_${name}`)}
          hint={t(`keys.optionHint_${name}`)}
          checked={values[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
    </Section>
  );
}
