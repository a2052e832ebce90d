import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useSpeech } from "../../i18n/language.tsx";
import { useErrorWords } from "../../lib/error-words.ts";
import { useRefresh } from "../../lib/queries.ts";
import { IconButton } from "../button.tsx";
import { usePlace } from "./toast-spot.ts";

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly bad: boolean;
}

const SHOWN_MS = 6000;
const SHOWN_MAX = 3;

const ToastContext = createContext<(words: string, bad: boolean) => void>(() => undefined);

/** Says what happened: `toast.done(words)`, or `toast.failed(error)`. */
export function useToast() {
  const add = use(ToastContext);
  const wordsOf = useErrorWords();
  return {
    done: (words: string) => add(words, false),
    failed: (error: unknown) => add(wordsOf(error), true),
  };
}

export interface ActionOptions<Answer> {
  /** Everything asked for below one of these paths is asked for again. */
  readonly refresh?: readonly string[];
  /** What is said when it is done; nothing where it gives nothing. */
  readonly done?: string | ((answer: Answer) => string | undefined) | undefined;
  readonly onDone?: ((answer: Answer) => void) | undefined;
}

/** What follows on an answer. */
export function useDone<Answer>({ refresh = [], done, onDone }: ActionOptions<Answer>) {
  const toast = useToast();
  const refreshBelow = useRefresh();
  return (answer: Answer, onRead?: () => void) => {
    onDone?.(answer);
    const words = typeof done === "function" ? done(answer) : done;
    if (words !== undefined) toast.done(words);
    refreshBelow(refresh, onRead);
  };
}

interface CallOptions<Answer> extends ActionOptions<Answer> {
  readonly onFailed?: () => void;
}

/** A call behind something that is pressed: what came of it is said in a message. */
export function useAction<Answer, Input = void>(
  call: (input: Input) => Promise<Answer>,
  { onFailed, ...options }: CallOptions<Answer> = {},
) {
  const toast = useToast();
  const follow = useDone(options);
  const [unread, setUnread] = useState(0);
  const onSuccess = (answer: Answer) => {
    setUnread((count) => count + 1);
    follow(answer, () => setUnread((count) => count - 1));
  };
  const { mutateAsync, isPending, data } = useMutation({ mutationFn: call, onSuccess });
  const onError = (error: unknown) => {
    onFailed?.();
    toast.failed(error);
  };
  return {
    /** Until it is answered: for dialogs. */
    busy: isPending,
    /** Until the page has been read again, too: for what stands on it, which shows what was there before. */
    unseen: isPending || unread > 0,
    data,
    /** What comes of it can also be for those alone who are still on the page. */
    run: (input: Input, onSuccess?: (answer: Answer) => void) => {
      // A refusal is for everybody: what was pressed may be gone by then, as a menu is.
      mutateAsync(input, { ...(onSuccess && { onSuccess }) }).catch(onError);
    },
    /** For forms, which show a refusal at its field. */
    send: mutateAsync,
  };
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useSpeech();
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const add = useMemo(() => {
    let id = 0;
    return (words: string, bad: boolean) => {
      id += 1;
      const toast = { id, words, bad };
      setToasts((before) => [...before, toast].slice(-SHOWN_MAX));
    };
  }, []);
  const place = usePlace(toasts.length);
  const drop = (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={add}>
      {children}
      {createPortal(
        <section
          ref={place}
          aria-live="polite"
          aria-label={t("words.messages")}
          className="group/toasts pointer-events-none fixed z-60 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2"
        >
          {toasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} onClose={() => drop(toast.id)} />
          ))}
        </section>,
        // Outside of the page, which is deaf and dumb while a dialog is open.
        document.body,
      )}
    </ToastContext>
  );
}

function ToastCard({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }) {
  const { t } = useSpeech();
  const [held, setHeld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the pointer restarts the time.
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held]);
  return (
    <div
      role={toast.bad ? "alert" : "status"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      data-toast=""
      className="pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-surface py-2 pr-1.5 pl-3 text-sm shadow-high group-data-over/toasts:pointer-events-none"
    >
      {toast.bad ? (
        <CircleAlert size={16} className="mt-2 shrink-0 text-bad" />
      ) : (
        <CircleCheck size={16} className="mt-2 shrink-0 text-good" />
      )}
      <p className="min-w-0 flex-1 py-1.5 break-words">{toast.words}</p>
      <IconButton label={t("words.close")} onClick={onClose} className="pointer-events-auto">
        <X size={15} />
      </IconButton>
    </div>
  );
}
