import type { Key, KeyBody } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useSession } from "../../../lib/session.tsx";
import type { Closes } from "../../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { useToast } from "../../../ui/toasts/toast.tsx";
import { KeyFields } from "../key-fields.tsx";
import { useKeyForm } from "../use-key-form.ts";

/** The one place where a key is changed: its name, budgets, limits, models, access and options. */
export function EditDialog({ item, onClose }: Closes & { readonly item: Key }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const toast = useToast();
  const save = async (body: KeyBody) => {
    await api.patch(path(`/keys/${item.id}`), body);
    toast.done(t("keys.saved"));
    onClose();
  };
  const form = useKeyForm(item, save, [path("/keys")]);
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
