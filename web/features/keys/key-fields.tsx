import { ChevronRight } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { PERIODS } from "../../lib/contract.ts";
import type { useForm } from "../../lib/form.ts";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Select } from "../../ui/select.tsx";
import { BudgetBound } from "./budget-bound.tsx";
import type { KeyValues } from "./key-form.ts";

interface KeyFieldsProps {
  readonly form: ReturnType<typeof useForm<KeyValues>>;
  /** What a limit is that is left empty; none, unless said. */
  readonly emptyLimit?: string;
}

/** Three fields; the rest is folded. */
export function KeyFields({ form, emptyLimit }: KeyFieldsProps) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  return (
    <div className="flex flex-col gap-4">
      <FormProblem words={form.problem} />
      <Field label={t("keys.name")} hint={t("keys.nameHint")} error={errors.name}>
        <Input
          autoFocus
          maxLength={100}
          placeholder={t("keys.namePlaceholder")}
          value={values.name}
          onValueChange={(value) => set("name", value)}
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label={t("keys.budget")} optional={t("words.optional")} error={errors.amount}>
          <Input
            prefix="$"
            inputMode="decimal"
            value={values.amount}
            onValueChange={(value) => set("amount", value)}
          />
        </Field>
        <Field label={t("keys.resets")} error={errors.period}>
          <Select
            value={values.period}
            choices={PERIODS.map((value) => ({ value, label: t(`keys.period_${value}`) }))}
            onChange={(value) => set("period", value)}
          />
        </Field>
        <div className="col-span-2 -mt-1.5 flex flex-col gap-1 text-[13px] text-muted">
          <p>{t("keys.budgetHint")}</p>
          <p>
            <BudgetBound />
          </p>
        </div>
      </div>
      <Limits form={form} {...(emptyLimit && { emptyLimit })} />
    </div>
  );
}

function Limits({ form, emptyLimit }: KeyFieldsProps) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  const limits = ["rpm", "tpm", "concurrency"] as const;
  return (
    <details
      className="group"
      open={limits.some((name) => values[name] !== "" || errors[name]) || values.models !== ""}
    >
      <summary className="flex w-fit list-none items-center gap-1 rounded text-sm font-medium">
        <ChevronRight size={15} className="transition-transform group-open:rotate-90" />
        {t("keys.advanced")}
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-3">
        {limits.map((name) => (
          <Field key={name} label={t(`keys.${name}`)} error={errors[name]}>
            <Input
              inputMode="numeric"
              placeholder={emptyLimit ?? t("words.unlimited")}
              value={values[name]}
              onValueChange={(value) => set(name, value)}
            />
          </Field>
        ))}
        <Field
          label={t("keys.models")}
          hint={t("keys.modelsHint")}
          error={errors.models}
          className="sm:col-span-3"
        >
          <Input mono value={values.models} onValueChange={(value) => set("models", value)} />
        </Field>
      </div>
    </details>
  );
}
