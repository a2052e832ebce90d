import { type ReactNode, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { type ActionOptions, useAction } from "../toasts/toast.tsx";

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

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"), "ConfirmDialog");

/** A question before what is hard to undo. Its code comes when it is first asked. */
export function Confirm({ open, ...question }: Question & { readonly open: boolean }) {
  return open ? <ConfirmDialog {...question} /> : null;
}

interface AskedProps
  extends Omit<Question, "busy" | "onConfirm" | "onClose">,
    ActionOptions<unknown> {
  /** Draws what is pressed to be asked. */
  readonly button: (ask: () => void) => ReactNode;
  readonly call: () => Promise<unknown>;
}

/** Something that is done only after a question, which stays open until it is done. */
export function Asked({ button, call, refresh = [], done, onDone, ...question }: AskedProps) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const action = useAction(call, {
    refresh,
    done,
    onDone: (answer) => {
      close();
      onDone?.(answer);
    },
  });
  return (
    <>
      {button(() => setAsking(true))}
      <Confirm
        {...question}
        open={asking}
        busy={action.busy}
        onConfirm={() => action.run()}
        onClose={close}
      />
    </>
  );
}
