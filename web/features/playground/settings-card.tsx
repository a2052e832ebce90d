import { Plus } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import type { CreatedKey } from "../../lib/contract.ts";
import { useChange } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { Model } from "../models/contract.ts";
import type { Endpoint } from "./answer.ts";

export interface PlaygroundValues {
  readonly secret: string;
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly instructions: string;
  readonly maxOutput: string;
}

export type PlaygroundErrors = Partial<Record<keyof PlaygroundValues, string>>;

interface SettingsCardProps {
  readonly values: PlaygroundValues;
  readonly errors: PlaygroundErrors;
  /** Undefined while they load. */
  readonly models: readonly Model[] | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly onChange: (changes: Partial<PlaygroundValues>) => void;
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
        <KeyField values={values} errors={errors} onChange={onChange} />
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
        <Field label={t("playground.instructions")} optional={t("words.optional")}>
          <TextArea
            rows={3}
            placeholder={t("playground.instructionsPlaceholder")}
            value={values.instructions}
            onChange={({ currentTarget }) => onChange({ instructions: currentTarget.value })}
          />
        </Field>
        <Field
          label={t("playground.maxOutput")}
          optional={t("words.optional")}
          error={errors.maxOutput}
        >
          <Input
            inputMode="numeric"
            value={values.maxOutput}
            onValueChange={(maxOutput) => onChange({ maxOutput })}
          />
        </Field>
      </div>
    </Card>
  );
}

type KeyFieldProps = Pick<SettingsCardProps, "values" | "errors" | "onChange">;

function KeyField({ values, errors, onChange }: KeyFieldProps) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const toast = useToast();
  const create = useChange(() => api.post<CreatedKey>(path("/keys"), { name: "playground" }), {
    refresh: [path("/keys")],
    onDone: ({ secret }) => {
      onChange({ secret });
      toast.done(t("playground.keyCreated"));
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("playground.key")} hint={t("playground.keyHint")} error={errors.secret}>
        <Input
          mono
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder={t("playground.keyPlaceholder")}
          value={values.secret}
          onValueChange={(secret) => onChange({ secret })}
        />
      </Field>
      {may("member") && values.secret === "" && (
        <Button
          size="small"
          className="self-start"
          busy={create.isPending}
          onClick={() => create.mutate(undefined, { onError: toast.failed })}
        >
          <Plus size={14} />
          {t("playground.createKey")}
        </Button>
      )}
    </div>
  );
}
