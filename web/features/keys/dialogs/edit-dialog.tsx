import type { Key } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { useKeyChange } from "../key-change.ts";
import { KeyFields } from "../key-fields.tsx";
import { useKeyForm } from "../use-key-form.ts";

interface EditDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
}

/** The one place where a key is changed: its name, budgets, limits, models, access and options. */
export function EditDialog({ item, onClose }: EditDialogProps) {
  const { t } = useSpeech();
  const change = useKeyChange(item);
  const form = useKeyForm(item, async (wishes) => {
    await change(wishes);
    onClose();
  });
  return (
    <FormDialog
      form={form}
      wide
      stays
      onClose={onClose}
      title={t("keys.editTitle", { name: item.name })}
      action={t("words.save")}
    >
      <KeyFields form={form} />
    </FormDialog>
  );
}
