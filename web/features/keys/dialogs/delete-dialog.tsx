import type { Key } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useHere } from "../../../lib/here.ts";
import { useSession } from "../../../lib/session.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Time } from "../../../ui/time.tsx";
import { useAction } from "../../../ui/toasts/toast.tsx";

interface DeleteDialogProps {
  readonly item: Key;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

export function DeleteDialog({ item, onClose, onDeleted }: DeleteDialogProps) {
  const { t, rich } = useSpeech();
  const { path } = useSession();
  const here = useHere();
  const { name, last_used_at } = item;
  const remove = useAction(() => api.delete<Key>(path(`/keys/${item.id}`)), {
    refresh: [path("/keys"), path("/overview")],
    // Who has gone on to another page is not led to the list.
    onDone: () => {
      if (!here.current) return;
      onClose();
      onDeleted?.();
    },
    done: t("keys.deletedToast", { name }),
  });
  return (
    <ConfirmDialog
      title={t("keys.deleteTitle", { name })}
      action={t("keys.delete")}
      busy={remove.busy}
      onConfirm={() => remove.run()}
      onClose={onClose}
    >
      <p>{t("keys.deleteHint")}</p>
      {last_used_at && (
        <p className="mt-2">{rich("keys.deleteUsed", { time: <Time at={last_used_at} /> })}</p>
      )}
    </ConfirmDialog>
  );
}
