import { useSpeech } from "../../i18n/language.tsx";
import type { Key } from "../../lib/contract.ts";
import { useForm } from "../../lib/form.ts";
import { dayIn } from "../../lib/format.ts";
import { useNow } from "../../lib/now.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { type AccessValues, accessValues, accessWishes, KEY_OPTIONS } from "./access-form.ts";
import { useKeyChange } from "./key-change.ts";

interface AccessDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
}

export function AccessDialog({ item, onClose }: AccessDialogProps) {
  const { t } = useSpeech();
  const zone = useTimeZone();
  const change = useKeyChange(item);
  const form = useForm<AccessValues>({
    initial: accessValues(item, zone),
    fieldOf: (param) => param.replace(/[[.].*$/, ""),
    submit: async (values) => {
      await change(accessWishes(values, item, zone));
      onClose();
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="key-access" busy={form.busy}>
        {t("words.save")}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={t("keys.accessOf", { name: item.name })} footer={footer}>
      <form id="key-access" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <Fields form={form} zone={zone} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly form: ReturnType<typeof useForm<AccessValues>>;
  readonly zone: string;
}

function Fields({ form, zone }: FieldsProps) {
  const { t } = useSpeech();
  const today = dayIn(useNow(), zone);
  const { values, errors, set } = form;
  return (
    <>
      <Field
        label={t("keys.expiresAt")}
        optional={t("words.optional")}
        hint={t("keys.expiresHint", { zone })}
        error={errors.expires_at}
      >
        <Input
          type="date"
          min={today}
          value={values.expires_at}
          onValueChange={(value) => set("expires_at", value)}
        />
      </Field>
      <Field
        label={t("keys.networks")}
        optional={t("words.optional")}
        hint={t("keys.networksHint")}
        error={errors.networks}
      >
        <Input
          mono
          placeholder="10.0.0.0/8, 192.0.2.7"
          value={values.networks}
          onValueChange={(value) => set("networks", value)}
        />
      </Field>
      {KEY_OPTIONS.map((name) => (
        <Checkbox
          key={name}
          label={t(`keys.option_${name}`)}
          hint={t(`keys.optionHint_${name}`)}
          checked={values[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
    </>
  );
}
