import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import type { useForm } from "../../lib/form.ts";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import type { ChannelValues } from "./channel-form.ts";
import { PLACELESS } from "./vendors.ts";

export interface ChannelFieldsProps {
  readonly form: ReturnType<typeof useForm<ChannelValues>>;
}

export function NameField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  return (
    <Field label={t("channels.name")} optional={t("words.optional")} error={form.errors.name}>
      <Input
        maxLength={100}
        placeholder={t("channels.namePlaceholder")}
        value={form.values.name}
        onValueChange={(value) => form.set("name", value)}
      />
    </Field>
  );
}

interface KeysFieldProps extends ChannelFieldsProps {
  readonly label: string;
  readonly optional: boolean;
}

export function KeysField({ form, label, optional }: KeysFieldProps) {
  const { t } = useSpeech();
  return (
    <Field
      label={label}
      hint={t("channels.keysHint")}
      optional={optional ? t("words.optional") : undefined}
      error={form.errors.keys}
    >
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
    <Field
      label={t("channels.baseUrl")}
      hint={needed ? undefined : t("channels.baseUrlHint")}
      error={form.errors.base_url}
    >
      <Input
        mono
        type="url"
        placeholder="https://"
        value={form.values.base_url}
        onValueChange={(value) => form.set("base_url", value)}
      />
    </Field>
  );
}

export function ModelsField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  return (
    <Field label={t("channels.models")} hint={t("channels.modelsHint")} error={form.errors.models}>
      <Input mono value={form.values.models} onValueChange={(value) => form.set("models", value)} />
    </Field>
  );
}

interface OrderFieldProps extends ChannelFieldsProps {
  readonly name: "priority" | "weight";
}

export function OrderField({ form, name }: OrderFieldProps) {
  const { t } = useSpeech();
  return (
    <Field label={t(`channels.${name}`)} hint={t(`channels.${name}Hint`)} error={form.errors[name]}>
      <Input
        inputMode="numeric"
        placeholder={name === "weight" ? "1" : "0"}
        value={form.values[name]}
        onValueChange={(value) => form.set(name, value)}
      />
    </Field>
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
