import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useForm } from "../../lib/form.ts";
import { useChange, useResource } from "../../lib/queries.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useToast } from "../../ui/toast.tsx";
import {
  type InstallationSettings,
  MODELS_PATH,
  type PriceChange,
  type PricePreview,
  SETTINGS_PATH,
  SIGNUP_MODES,
} from "./contract.ts";
import { ModelsDiff } from "./price-diff.tsx";
import {
  checkGeneral,
  generalField,
  generalValues,
  generalWishes,
  readMarkup,
} from "./settings-form.ts";

export function SettingsTab() {
  const wordsOf = useErrorWords();
  const { data, error } = useResource<InstallationSettings>(SETTINGS_PATH);
  if (error && !data) return <Notice tone="bad">{wordsOf(error)}</Notice>;
  if (!data) return <Skeleton className="h-80 w-full max-w-2xl" />;
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <MarkupCard settings={data} />
      <GeneralCard settings={data} />
    </div>
  );
}

interface SettingsProps {
  readonly settings: InstallationSettings;
}

interface Proposal {
  readonly percent: string;
  readonly changes: readonly PriceChange[];
}

function MarkupCard({ settings }: SettingsProps) {
  const { t } = useSpeech();
  const [proposal, setProposal] = useState<Proposal>();
  const form = useForm({
    initial: { markup_percent: settings.markup_percent },
    check: ({ markup_percent: typed }) =>
      readMarkup(typed) === undefined ? { markup_percent: t("prices.badMarkup") } : {},
    submit: async (values) => {
      const percent = readMarkup(values.markup_percent) ?? "0";
      const path = `${SETTINGS_PATH}?preview=true`;
      const { data } = await api.put<PricePreview>(path, { markup_percent: percent });
      setProposal({ percent, changes: data });
    },
  });
  return (
    <Card title={t("prices.markup")}>
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4" noValidate>
        <FormProblem words={form.problem} />
        <Field
          label={t("prices.markupPercent")}
          hint={t("prices.markupHint")}
          error={form.errors.markup_percent}
        >
          <Input
            inputMode="decimal"
            className="max-w-40"
            value={form.values.markup_percent}
            onValueChange={(value) => form.set("markup_percent", value)}
          />
        </Field>
        <Button type="submit" busy={form.busy} className="self-start">
          {t("prices.preview")}
        </Button>
      </form>
      {proposal && <MarkupDialog proposal={proposal} onClose={() => setProposal(undefined)} />}
    </Card>
  );
}

interface MarkupDialogProps {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

function MarkupDialog({ proposal, onClose }: MarkupDialogProps) {
  const { t } = useSpeech();
  const toast = useToast();
  const { percent, changes } = proposal;
  const apply = useChange(() => api.put(SETTINGS_PATH, { markup_percent: percent }), {
    refresh: [SETTINGS_PATH, MODELS_PATH],
    onDone: () => {
      toast.done(t("prices.markupApplied", { percent }));
      onClose();
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button
        kind="primary"
        busy={apply.isPending}
        onClick={() => apply.mutate(undefined, { onError: toast.failed })}
      >
        {t("prices.apply")}
      </Button>
    </>
  );
  return (
    <Dialog
      stays
      wide
      open
      onClose={onClose}
      title={t("prices.markupTitle", { percent })}
      description={t("prices.markupChanges", { count: changes.length })}
      footer={footer}
    >
      <ModelsDiff changes={changes} />
      <p className="mt-3 text-[13px] text-muted">{t("prices.receiptsStay")}</p>
    </Dialog>
  );
}

function useGeneralForm(settings: SettingsProps["settings"]) {
  const { t } = useSpeech();
  const toast = useToast();
  const client = useQueryClient();
  return useForm({
    initial: generalValues(settings),
    check: (values) => checkGeneral(values, t),
    fieldOf: generalField,
    submit: async (values) => {
      await api.put(SETTINGS_PATH, generalWishes(values, settings));
      await client.invalidateQueries({ queryKey: [SETTINGS_PATH] });
      void client.invalidateQueries({ queryKey: ["/api/me"] });
      toast.done(t("prices.settingsSaved"));
    },
  });
}

function GeneralCard({ settings }: SettingsProps) {
  const { t } = useSpeech();
  const form = useGeneralForm(settings);
  const { values, errors, set } = form;
  return (
    <Card title={t("prices.installation")}>
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4" noValidate>
        <FormProblem words={form.problem} />
        <Field
          label={t("prices.signup")}
          hint={t(`prices.signupHint_${values.signup}`)}
          error={errors.signup}
        >
          <Select
            value={values.signup}
            choices={SIGNUP_MODES.map((value) => ({ value, label: t(`prices.signup_${value}`) }))}
            onChange={(value) => set("signup", value)}
          />
        </Field>
        <Field
          label={t("prices.signupCredit")}
          hint={t("prices.signupCreditHint")}
          error={errors.signup_credit}
        >
          <Input
            prefix="$"
            inputMode="decimal"
            value={values.signup_credit}
            onValueChange={(value) => set("signup_credit", value)}
          />
        </Field>
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label={t("prices.currency")} optional={t("words.optional")} error={errors.code}>
            <Input
              mono
              maxLength={3}
              placeholder="CNY"
              value={values.code}
              onValueChange={(value) => set("code", value)}
            />
          </Field>
          <Field label={t("prices.exchange")} error={errors.rate}>
            <Input
              inputMode="decimal"
              placeholder="7.1"
              disabled={values.code.trim() === ""}
              value={values.rate}
              onValueChange={(value) => set("rate", value)}
            />
          </Field>
          <p className="col-span-2 -mt-1.5 text-[13px] text-muted">{t("prices.currencyHint")}</p>
        </div>
        <Button kind="primary" type="submit" busy={form.busy} className="self-start">
          {t("words.save")}
        </Button>
      </form>
    </Card>
  );
}
