import { CreditCard } from "lucide-react";
import type { AutoTopUp, ChangedAutoTopUp, Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { errorsOf } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { useRefresh } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { bodyOf, valuesOf } from "./auto-top-up-form.ts";
import { moneyPaths } from "./money-paths.ts";
import { checkAmount } from "./payment.ts";
import { SettingRow } from "./setting-row.tsx";

interface AutoTopUpTabProps {
  readonly wallet: Wallet;
}

export function AutoTopUpTab({ wallet }: AutoTopUpTabProps) {
  const { t } = useSpeech();
  if (!wallet.providers.includes("stripe") && !wallet.auto_topup) {
    return (
      <Card>
        <EmptyState icon={<CreditCard size={28} />} title={t("wallet.autoTopUp")}>
          {t("wallet.autoNone")}
        </EmptyState>
      </Card>
    );
  }
  return <AutoTopUpForm wallet={wallet} />;
}

function useAutoForm(settings: AutoTopUp | null) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const refresh = useRefresh();
  const form = useForm<ReturnType<typeof valuesOf>, ChangedAutoTopUp>({
    initial: valuesOf(settings),
    check: (values) => {
      const { error } = checkAmount(values.amount, t, locale);
      const noAmount = (typed: string) =>
        readAmount(typed) === undefined ? t("errors.amount") : undefined;
      return errorsOf({
        amount: error,
        threshold: noAmount(values.threshold),
        daily_max: values.daily_max.trim() === "" ? undefined : noAmount(values.daily_max),
      });
    },
    submit: async (values) => {
      const body = bodyOf(values, settings);
      const answer = await api.put<ChangedAutoTopUp>(path("/auto-topup"), body);
      refresh(moneyPaths(path));
      form.stored(values);
      return answer;
    },
    onDone: ({ checkout_url }) => checkout_url && location.assign(checkout_url),
    done: ({ checkout_url }) => (checkout_url ? undefined : t("wallet.autoSaved")),
  });
  return form;
}

function AutoTopUpForm({ wallet }: AutoTopUpTabProps) {
  const { t } = useSpeech();
  const { may } = useSession();
  const form = useAutoForm(wallet.auto_topup);
  const { values, set } = form;
  const disabled = !may("owner");
  const amounts = [
    ["threshold", t("wallet.threshold"), undefined],
    ["amount", t("wallet.autoAmount"), undefined],
    ["daily_max", t("wallet.dailyMax"), t("wallet.dailyMaxHint")],
  ] as const;
  return (
    <Card className="max-w-2xl">
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <AutoState settings={wallet.auto_topup} />
        <FormProblem words={form.problem} />
        <SettingRow
          label={t("wallet.autoOn")}
          hint={t("wallet.autoHint")}
          checked={values.enabled}
          disabled={disabled}
          onChange={(enabled) => set("enabled", enabled)}
        />
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
          {amounts.map(([name, label, hint]) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={label}
              hint={hint}
              money
              disabled={disabled}
            />
          ))}
        </div>
        <div className="flex items-center gap-3">
          <Button kind="primary" type="submit" busy={form.busy} disabled={disabled}>
            {t("words.save")}
          </Button>
          {disabled && <p className="text-[13px] text-muted">{t("wallet.ownerOnly")}</p>}
        </div>
      </form>
    </Card>
  );
}

function AutoState({ settings }: { readonly settings: AutoTopUp | null }) {
  const { t } = useSpeech();
  if (settings?.failure) {
    const said = settings.enabled ? "wallet.autoFailed" : "wallet.autoOff";
    return <Notice tone="bad">{t(said, { reason: settings.failure })}</Notice>;
  }
  return settings?.waiting_for_card ? <Notice tone="warn">{t("wallet.autoWaiting")}</Notice> : null;
}
