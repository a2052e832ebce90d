import { useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import type { Key } from "../../lib/contract.ts";
import { useForm } from "../../lib/form.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import { KeyFields } from "./key-fields.tsx";
import { checkKey, fieldOf, valuesOf, wishesOf } from "./key-form.ts";

interface EditDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
}

export function EditDialog({ item, onClose }: EditDialogProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const client = useQueryClient();
  const toast = useToast();
  const [first, ...others] = item.budgets;
  const form = useForm({
    initial: valuesOf(item),
    check: (values) => checkKey(values, t),
    fieldOf,
    submit: async (values) => {
      const kept = others.map(({ amount, period, time_zone }) => ({ amount, period, time_zone }));
      const wishes = wishesOf(values, first?.time_zone ?? timeZone, kept);
      await api.patch<Key>(path(`/keys/${item.id}`), wishes);
      await Promise.all([
        client.invalidateQueries({ queryKey: [path("/keys")] }),
        client.invalidateQueries({ queryKey: [path(`/keys/${item.id}`)] }),
      ]);
      toast.done(t("keys.saved"));
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
