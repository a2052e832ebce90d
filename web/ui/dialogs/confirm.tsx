import { type ReactNode, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Button, type ButtonProps } from "../button.tsx";
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
  /** How the button looks that is pressed to be asked, or what is drawn in its place. */
  readonly button?: ButtonProps | ((ask: () => void) => ReactNode);
  /** Before the words of the button, which are those of the action. */
  readonly icon?: ReactNode;
  readonly call: () => Promise<unknown>;
}

/** Something that is done only after a question, which stays open until it is done. */
export function Asked(props: AskedProps) {
  const { button = {}, icon, call, refresh = [], done, onDone, ...question } = props;
  const [asking, setAsking] = useState(false);
  const ask = () => setAsking(true);
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
      {typeof button === "function" ? (
        button(ask)
      ) : (
        <Button {...button} onClick={ask}>
          {icon}
          {question.action}
        </Button>
      )}
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
