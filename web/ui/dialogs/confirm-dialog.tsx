import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../button.tsx";
import type { Question } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";

export function ConfirmDialog({ title, children, action, busy, onConfirm, onClose }: Question) {
  const { t } = useSpeech();
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="danger" busy={busy ?? false} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog onClose={onClose} title={title} footer={footer}>
      <div className="text-sm text-muted">{children}</div>
    </Dialog>
  );
}
