import { useMemo, useRef } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { type Key, PERIODS, type Period } from "../../lib/contract.ts";
import { useForm } from "../../lib/form.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { zoneLabel, zoneNames } from "../../lib/time-zones.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Select } from "../../ui/select.tsx";
import { BudgetBound } from "./budget-bound.tsx";
import { type BudgetValues, budgetValues, budgetWishes, checkBudgets } from "./budget-form.ts";
import { useKeyChange } from "./key-change.ts";

interface BudgetsDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
}

function useBudgetsForm({ item, onClose }: BudgetsDialogProps) {
  const { t } = useSpeech();
  const visitorZone = useTimeZone();
  const change = useKeyChange(item);
  // The API tells the place of a budget that it refuses; this is what stood there.
  const sent = useRef<readonly Period[]>([]);
  return useForm<BudgetValues>({
    initial: budgetValues(item, visitorZone),
    check: (values) => checkBudgets(values, t),
    fieldOf: (param) => sent.current[Number(/\d+/.exec(param)?.[0])],
    submit: async (values) => {
      const budgets = budgetWishes(values, item, visitorZone);
      sent.current = budgets.map(({ period }) => period);
      await change({ budgets });
      onClose();
    },
  });
}

/** One amount for each period: together they hold, and the first that is used up stops the key. */
export function BudgetsDialog({ item, onClose }: BudgetsDialogProps) {
  const { t } = useSpeech();
  const form = useBudgetsForm({ item, onClose });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="key-budgets" busy={form.busy}>
        {t("words.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("keys.budgetsOf", { name: item.name })}
      description={t("keys.budgetsHint")}
      footer={footer}
    >
      <form id="key-budgets" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <Fields form={form} />
        <p className="text-[13px] text-muted">
          <BudgetBound />
        </p>
      </form>
    </Dialog>
  );
}

function Fields({ form }: { readonly form: ReturnType<typeof useForm<BudgetValues>> }) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  const zones = useMemo(
    () =>
      zoneNames(Intl.supportedValuesOf("timeZone"), values.zone).map((value) => ({
        value,
        label: zoneLabel(value),
      })),
    [values.zone],
  );
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
      {PERIODS.map((period) => (
        <Field key={period} label={t(`keys.budget_${period}`)} error={errors[period]}>
          <Input
            prefix="$"
            inputMode="decimal"
            value={values[period]}
            onValueChange={(value) => set(period, value)}
          />
        </Field>
      ))}
      <Field
        label={t("keys.budgetZone")}
        hint={t("keys.budgetZoneHint")}
        error={errors.zone}
        className="col-span-2"
      >
        <Select value={values.zone} choices={zones} onChange={(zone) => set("zone", zone)} />
      </Field>
    </div>
  );
}
