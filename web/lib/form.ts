import { type FormEvent, type MouseEvent, useState } from "react";
import { type ActionOptions, useDone } from "../ui/toasts/toast.tsx";
import { ApiError, isUnanswered } from "./api.ts";
import { useErrorWords } from "./error-words.ts";
import { changed, isSame } from "./forms/changed.ts";
import { useFaultLead } from "./forms/lead-to-fault.ts";
import { useRefresh } from "./queries.ts";

type Errors<Values> = Partial<Record<keyof Values & string, string>>;

interface FormOptions<Values, Answer> extends ActionOptions<Answer> {
  /** What is there now: fields that nobody has touched go with it. */
  readonly initial: Values;
  /** What is wrong, by field, before anything is sent. */
  readonly check?: (values: Values) => Errors<Values>;
  readonly submit: (values: Values) => Promise<Answer>;
  /** The API's `param` by our field, where their names differ: `"budgets[0].amount"` → `"amount"`. */
  readonly fieldOf?: (param: string) => string | undefined;
}

/** What was stored, and what was there before: where that could not be read again, it is still there. */
interface Stored<Values> {
  readonly sent: Values;
  readonly before: Values;
}

/** Sends a form, and does what follows. */
function useSending<Values, Answer>(options: FormOptions<Values, Answer>) {
  const { submit, refresh = [] } = options;
  const done = useDone(options);
  const refreshBelow = useRefresh();
  return async (values: Values) => {
    const answer = await submit(values).catch((thrown: unknown) => {
      // It may have happened: the page shows what did.
      if (isUnanswered(thrown)) refreshBelow(refresh);
      throw thrown;
    });
    done(answer);
  };
}

/**
 * A form with its values, the errors at their fields, and one for the whole. What the API refuses
 * with a `param` is shown at that field, and everything else above the buttons.
 */
export function useForm<Values extends object, Answer = unknown>(
  options: FormOptions<Values, Answer>,
) {
  const { initial, check, fieldOf } = options;
  // Only what was typed is kept. A form that holds the rest too takes back what others set meanwhile.
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [awaited, setAwaited] = useState<Stored<Values> | undefined>();
  const isAwaited = awaited !== undefined && isSame(initial, awaited.before);
  if (awaited && !isAwaited) setAwaited(undefined);
  const values = { ...initial, ...(isAwaited && awaited.sent), ...typed };
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const wordsOf = useErrorWords();
  const send = useSending(options);
  const { place, lead } = useFaultLead();

  const refuse = (error: unknown) => {
    const param = error instanceof ApiError ? error.param : null;
    const field = param === null ? undefined : (fieldOf?.(param) ?? param);
    if (field !== undefined && field in values) {
      setErrors({ [field]: wordsOf(error) } as Errors<Values>);
    } else setProblem(wordsOf(error));
    lead();
  };
  const attempt = async (work: (values: Values) => Promise<unknown>) => {
    const found = check?.(values) ?? {};
    setErrors(found);
    setProblem(undefined);
    if (Object.values(found).some((words) => words !== undefined)) return lead();
    setBusy(true);
    await work(values).catch(refuse);
    setBusy(false);
  };
  return {
    values,
    errors,
    problem,
    busy,
    isTyped: Object.keys(typed).length > 0,
    set<Name extends keyof Values>(name: Name, value: Values[Name]) {
      setTyped((before) => ({ ...before, [name]: value }));
      setErrors((before) => ({ ...before, [name]: undefined }));
    },
    reset() {
      setTyped({});
      setErrors({});
      setProblem(undefined);
    },
    /**
     * What was sent and stored is not only typed any more: its fields go with what is there, as all others, as soon as
     * that has been read again.
     */
    stored(sent: Values) {
      setAwaited({ sent, before: initial });
      setTyped((before) => changed(before, sent));
    },
    /** Something else than the submission that takes a form without mistakes, by another button in it. */
    attempt({ currentTarget }: MouseEvent<HTMLButtonElement>, work: () => Promise<unknown>) {
      place.current = currentTarget.form;
      if (!busy) void attempt(work);
    },
    /** For `<form onSubmit>`. */
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      place.current = event.currentTarget;
      if (!busy) void attempt(send);
    },
  };
}
