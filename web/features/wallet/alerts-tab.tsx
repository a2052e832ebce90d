import type { Alerts } from "../../../src/console/contract/alerts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { isOfOperators, useAlertChange } from "./alert-change.ts";
import { DeliveryCard } from "./delivery-card.tsx";
import { SettingRow } from "./setting-row.tsx";

export function AlertsTab() {
  const { t } = useSpeech();
  const { path } = useSession();
  const { data: alerts, error, refetch } = useResource<Alerts>(path("/alerts"));
  if (error && !alerts) {
    const retry = <Button onClick={() => void refetch()}>{t("words.retry")}</Button>;
    return (
      <Card>
        <EmptyState title={t("errors.notLoaded")} action={retry} />
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <WhoChanges alerts={alerts} />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        {alerts ? (
          <>
            <SubjectsCard alerts={alerts} />
            <DeliveryCard alerts={alerts} />
          </>
        ) : (
          <>
            <Skeleton className="h-96 w-full" />
            <Skeleton className="h-72 w-full" />
          </>
        )}
      </div>
    </div>
  );
}

/** Who changes what the reader may not. */
function WhoChanges({ alerts }: { readonly alerts: Alerts | undefined }) {
  const { t } = useSpeech();
  const { may } = useSession();
  const isForOperators = alerts !== undefined && alerts.operators_only.length > 0;
  if (may("owner") && !isForOperators) return null;
  const words = may("owner") ? t("wallet.alertsOperatorsOnly") : t("wallet.ownerOnly");
  return <p className="text-[13px] text-muted">{words}</p>;
}

interface AlertsProps {
  readonly alerts: Alerts;
}

function SubjectsCard({ alerts }: AlertsProps) {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const { run: save, busy } = useAlertChange();
  const disabled = !may("owner") || busy;
  const rows = [
    ["budgets", t("wallet.alertBudgets"), t("wallet.alertBudgetsHint")],
    ["spend_spike", t("wallet.alertSpike"), t("wallet.alertSpikeHint")],
    ["model_deprecation", t("wallet.alertDeprecation"), t("wallet.alertDeprecationHint")],
    ["vendor_down", t("wallet.alertVendor"), t("wallet.alertVendorHint")],
  ] as const;
  return (
    <Card title={t("wallet.alertsTitle")}>
      <div className="flex flex-col gap-5">
        <SettingRow
          label={t("wallet.alertLow")}
          hint={t("wallet.alertLowHint")}
          checked={alerts.low_balance.enabled}
          disabled={disabled}
          onChange={(enabled) => save({ low_balance: { enabled } })}
        >
          {alerts.low_balance.enabled && <ThresholdForm alerts={alerts} />}
        </SettingRow>
        {rows
          // Channels are the operator's; nobody else hears of them.
          .filter(([name]) => name !== "vendor_down" || me.operator)
          .map(([name, label, hint]) => (
            <SettingRow
              key={name}
              label={label}
              hint={hint}
              checked={alerts[name].enabled}
              disabled={disabled || isOfOperators(alerts, name)}
              onChange={(enabled) => save({ [name]: { enabled } })}
            />
          ))}
      </div>
    </Card>
  );
}

function ThresholdForm({ alerts }: AlertsProps) {
  const { t } = useSpeech();
  const { may } = useSession();
  const { send } = useAlertChange();
  const form = useForm({
    initial: { threshold: alerts.low_balance.threshold ?? "" },
    fieldOf: () => "threshold",
    check: ({ threshold }) =>
      threshold.trim() === "" || readAmount(threshold) ? {} : { threshold: t("errors.amount") },
    submit: ({ threshold }) => send({ low_balance: { threshold: readAmount(threshold) ?? null } }),
    done: t("wallet.autoSaved"),
  });
  return (
    <form onSubmit={form.onSubmit} className="flex items-start gap-2">
      <TextField
        form={form}
        name="threshold"
        label={t("wallet.alertThreshold")}
        hint={t("wallet.alertThresholdHint")}
        className="w-60"
        money
        disabled={!may("owner")}
      />
      <Button type="submit" busy={form.busy} disabled={!may("owner")} className="mt-[25px]">
        {t("words.save")}
      </Button>
    </form>
  );
}
