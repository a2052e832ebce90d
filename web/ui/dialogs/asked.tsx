import { type ReactNode, useState } from "react";
import { type ActionOptions, useAction } from "../toasts/action.ts";
import { Confirm, type Question } from "./confirm.tsx";

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
