import { useSpeech } from "../../i18n/language.tsx";
import type { Key } from "../../lib/contract.ts";
import { useForm } from "../../lib/form.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useKeyChange } from "./key-change.ts";
import { KeyFields } from "./key-fields.tsx";
import { checkKey, fieldOf, valuesOf, wishesOf } from "./key-form.ts";

interface EditDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
}

export function EditDialog({ item, onClose }: EditDialogProps) {
  const { t } = useSpeech();
  const timeZone = useTimeZone();
  const change = useKeyChange(item);
  const [first, ...others] = item.budgets;
  const form = useForm({
    initial: valuesOf(item),
    check: (values) => checkKey(values, t),
    fieldOf,
    submit: async (values) => {
      const kept = others.map(({ amount, period, time_zone }) => ({ amount, period, time_zone }));
      await change(wishesOf(values, first?.time_zone ?? timeZone, kept));
      onClose();
    },
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
    <Dialog open onClose={onClose} title={item.name} footer={footer}>
      <form id="edit-key" onSubmit={form.onSubmit}>
        <KeyFields form={form} />
      </form>
    </Dialog>
  );
}
