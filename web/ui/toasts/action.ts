import { useChange } from "../../lib/queries.ts";
import { useToast } from "./toast.tsx";

export interface ActionOptions<Answer> {
  /** Everything asked for below one of these paths is asked for again. */
  readonly refresh?: readonly string[];
  /** What is said when it is done. */
  readonly done?: string | ((answer: Answer) => string) | undefined;
  readonly onDone?: ((answer: Answer) => void) | undefined;
}

/** A call behind something that is pressed: what came of it is said in a message. */
export function useAction<Answer, Input = void>(
  call: (input: Input) => Promise<Answer>,
  { refresh = [], done, onDone }: ActionOptions<Answer> = {},
) {
  const toast = useToast();
  const { mutate, isPending, data } = useChange(call, {
    refresh,
    onDone: (answer) => {
      onDone?.(answer);
      if (done !== undefined) toast.done(typeof done === "string" ? done : done(answer));
    },
  });
  return { busy: isPending, data, run: (input: Input) => mutate(input, { onError: toast.failed }) };
}
