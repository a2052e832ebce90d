import { useSpeech } from "../../i18n/language.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface AccountFieldsProps {
  readonly form: {
    readonly values: { readonly name: string; readonly hard: boolean; readonly overdraft: string };
    readonly errors: { readonly name?: string; readonly overdraft?: string };
    set(field: "name" | "overdraft", value: string): void;
    set(field: "hard", value: boolean): void;
  };
}

export function AccountFields({ form }: AccountFieldsProps) {
  const { t } = useSpeech();
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={t("operatorAccounts.name")}
        autoFocus
        maxLength={100}
        placeholder={t("operatorAccounts.namePlaceholder")}
      />
      <TextField
        form={form}
        name="overdraft"
        label={t("operatorAccounts.overdraft")}
        hint={t("operatorAccounts.overdraftHint")}
        money
      />
      <Checkbox
        label={t("operatorAccounts.hard")}
        hint={t("operatorAccounts.hardHint")}
        checked={form.values.hard}
        onChange={(value) => form.set("hard", value)}
      />
    </>
  );
}
