import type { ReactNode } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** The verb of the action, never just "OK". */
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ open, title, children, action, busy, onConfirm, onClose }: ConfirmProps) {
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
    <Dialog open={open} onClose={onClose} title={title} footer={footer}>
      <div className="text-sm text-muted">{children}</div>
    </Dialog>
  );
}
