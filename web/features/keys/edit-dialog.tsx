import { useSpeech } from "../../i18n/language.tsx";
import type { Key } from "../../lib/contract.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useKeyChange } from "./key-change.ts";
import { KeyFields } from "./key-fields.tsx";
import { useKeyForm } from "./use-key-form.ts";

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
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="edit-key" busy={form.busy}>
        {t("words.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      wide
      stays
      onClose={onClose}
      title={t("keys.editTitle", { name: item.name })}
      footer={footer}
    >
      <form id="edit-key" onSubmit={form.onSubmit}>
        <KeyFields form={form} />
      </form>
    </Dialog>
  );
}
