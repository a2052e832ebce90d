import type { Question } from "./confirm.tsx";
import { Decision, Dialog } from "./dialog.tsx";

export function ConfirmDialog({ title, children, action, busy, onConfirm, onClose }: Question) {
  const footer = (
    <Decision onClose={onClose} kind="danger" busy={busy ?? false} onClick={onConfirm}>
      {action}
    </Decision>
  );
  return (
    <Dialog busy={busy} onClose={onClose} title={title} footer={footer}>
      <div className="text-sm text-muted">{children}</div>
    </Dialog>
  );
}
