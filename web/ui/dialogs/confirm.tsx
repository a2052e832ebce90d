import type { ReactNode } from "react";
import { lazyPart } from "../../lib/lazy-part.tsx";

export interface Question {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** The verb of the action, never just "OK". */
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const ConfirmDialog = lazyPart(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

/** A question before what is hard to undo. Its code comes when it is first asked. */
export function Confirm({ open, ...question }: Question & { readonly open: boolean }) {
  return open ? <ConfirmDialog {...question} /> : null;
}
