import { useSpeech } from "../../i18n/language.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/switch.tsx";

interface AccountFieldsProps {
  readonly values: { readonly name: string; readonly hard: boolean };
  readonly errors: { readonly name?: string };
  readonly set: {
    (field: "name", value: string): void;
    (field: "hard", value: boolean): void;
  };
}

export function AccountFields({ values, errors, set }: AccountFieldsProps) {
  const { t } = useSpeech();
  return (
    <>
      <Field label={t("operatorAccounts.name")} error={errors.name}>
        <Input
          autoFocus
          maxLength={100}
          placeholder={t("operatorAccounts.namePlaceholder")}
          value={values.name}
          onValueChange={(value) => set("name", value)}
        />
      </Field>
      <Checkbox
        label={t("operatorAccounts.hard")}
        hint={t("operatorAccounts.hardHint")}
        checked={values.hard}
        onChange={(value) => set("hard", value)}
      />
    </>
  );
}
