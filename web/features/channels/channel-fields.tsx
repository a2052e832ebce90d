import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import type { useForm } from "../../lib/form.ts";
import { Field, TextArea } from "../../ui/field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ChannelValues } from "./channel-form.ts";
import { PLACELESS } from "./vendors.ts";

export interface ChannelFieldsProps {
  readonly form: ReturnType<typeof useForm<ChannelValues>>;
}

export function NameField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  return (
    <TextField
      form={form}
      name="name"
      label={t("channels.name")}
      optional
      maxLength={100}
      placeholder={t("channels.namePlaceholder")}
    />
  );
}

interface KeysFieldProps extends ChannelFieldsProps {
  readonly label: string;
  readonly optional: boolean;
}

export function KeysField({ form, label, optional }: KeysFieldProps) {
  const { t } = useSpeech();
  return (
    <Field label={label} hint={t("channels.keysHint")} optional={optional} error={form.errors.keys}>
      <TextArea
        mono
        rows={2}
        autoComplete="off"
        spellCheck={false}
        value={form.values.keys}
        onChange={(event) => form.set("keys", event.currentTarget.value)}
      />
    </Field>
  );
}

export function AddressField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  const needed = PLACELESS.includes(form.values.vendor);
  return (
    <TextField
      form={form}
      name="base_url"
      label={t("channels.baseUrl")}
      hint={needed ? undefined : t("channels.baseUrlHint")}
      mono
      type="url"
      placeholder="https://"
    />
  );
}

export function ModelsField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  return (
    <TextField
      form={form}
      name="models"
      label={t("channels.models")}
      hint={t("channels.modelsHint")}
      mono
    />
  );
}

interface OrderFieldProps extends ChannelFieldsProps {
  readonly name: "priority" | "weight";
}

export function OrderField({ form, name }: OrderFieldProps) {
  const { t } = useSpeech();
  return (
    <TextField
      form={form}
      name={name}
      label={t(`channels.${name}`)}
      hint={t(`channels.${name}Hint`)}
      inputMode="numeric"
      placeholder={name === "weight" ? "1" : "0"}
    />
  );
}

interface FoldedProps extends ChannelFieldsProps {
  readonly open: boolean;
  readonly children: ReactNode;
}

export function Folded({ form, open, children }: FoldedProps) {
  const { t } = useSpeech();
  const { errors } = form;
  const wrong = errors.base_url ?? errors.models ?? errors.priority ?? errors.weight;
  return (
    <details className="group" open={open || wrong !== undefined}>
      <summary className="flex w-fit list-none items-center gap-1 rounded text-sm font-medium">
        <ChevronRight size={15} className="transition-transform group-open:rotate-90" />
        {t("channels.advanced")}
      </summary>
      <div className="mt-3 flex flex-col gap-4">{children}</div>
    </details>
  );
}
