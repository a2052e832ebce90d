import type { Model } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Card } from "../../ui/card.tsx";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import type { Endpoint } from "./answer.ts";
import type { PlaygroundSettings } from "./kept-settings.ts";

export type PlaygroundErrors = Partial<Record<keyof PlaygroundSettings, string>>;

interface SettingsCardProps {
  readonly values: PlaygroundSettings;
  readonly errors: PlaygroundErrors;
  /** Undefined while they load. */
  readonly models: readonly Model[] | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly onChange: (changes: Partial<PlaygroundSettings>) => void;
}

export function SettingsCard(props: SettingsCardProps) {
  const { values, errors, models, endpoints, onChange } = props;
  const { t } = useSpeech();
  const choices = (models ?? []).map(({ id, display_name }) => ({
    value: id,
    label: display_name,
  }));
  const none = { value: "", label: models ? t("playground.noModels") : "…" };
  return (
    <Card title={t("playground.settings")}>
      <div className="flex flex-col gap-4">
        <Field label={t("playground.model")} error={errors.model}>
          <Select
            value={values.model}
            choices={choices.length > 0 ? choices : [none]}
            disabled={choices.length === 0}
            onChange={(model) => onChange({ model })}
          />
        </Field>
        <Field label={t("playground.endpoint")}>
          <Select
            value={values.endpoint}
            choices={endpoints.map((value) => ({ value, label: t(`models.endpoint_${value}`) }))}
            onChange={(endpoint) => onChange({ endpoint })}
            className="font-mono text-[13px]"
          />
        </Field>
        <Field label={t("playground.instructions")} optional>
          <TextArea
            rows={3}
            placeholder={t("playground.instructionsPlaceholder")}
            value={values.instructions}
            onChange={({ currentTarget }) => onChange({ instructions: currentTarget.value })}
          />
        </Field>
        <Field
          label={t("playground.temperature")}
          optional
          hint={t("playground.temperatureHint")}
          error={errors.temperature}
        >
          <Input
            inputMode="decimal"
            value={values.temperature}
            onValueChange={(temperature) => onChange({ temperature })}
          />
        </Field>
        <Field label={t("playground.maxOutput")} optional error={errors.maxOutput}>
          <Input
            inputMode="numeric"
            value={values.maxOutput}
            onValueChange={(maxOutput) => onChange({ maxOutput })}
          />
        </Field>
        <p className="text-[13px] text-muted">{t("playground.charged")}</p>
      </div>
    </Card>
  );
}
