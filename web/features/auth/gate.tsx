import { type ReactNode, useEffect } from "react";
import { LookChoices } from "../../app/look-choices.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import { useErrorWords } from "../../lib/error-words.ts";
import type { useForm } from "../../lib/form.ts";
import { BrandMark } from "../../ui/brand-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface GateProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Below the card. */
  readonly foot?: ReactNode;
  readonly children?: ReactNode;
  /** It is not known yet what stands in the card. */
  readonly waiting?: boolean;
}

/** The frame of every page in front of the console: one card, whose top stays where it is. */
export function Gate({ title, hint, foot, children, waiting }: GateProps) {
  const { t } = useSpeech();
  useEffect(() => {
    document.title = `${title} · Faregate`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-end gap-1 p-3">
        <a
          href="/docs/console#signing-in"
          className="rounded-md px-2 py-1 text-[13px] text-muted hover:text-text"
        >
          {t("words.help")}
        </a>
        <LookChoices />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col px-4 pt-[14dvh] pb-16">
        <div className="mb-5 flex flex-col items-center gap-3 text-center">
          <BrandMark size={36} />
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {hint && <p className="text-sm text-muted">{hint}</p>}
        </div>
        {(children || waiting) && (
          <div className="rounded-xl border border-line bg-surface p-5 shadow-low">
            {waiting ? <Skeleton className="h-9 w-full" /> : children}
          </div>
        )}
        {foot && <div className="mt-4 text-center text-sm text-muted">{foot}</div>}
      </main>
    </div>
  );
}

interface GateUnansweredProps {
  readonly title: string;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Until the server has said what a link opens: the answer is on its way, or did not come. */
export function GateUnanswered({ title, error, refetch }: GateUnansweredProps) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  if (!error) return <Gate key="waiting" waiting title={title} />;
  return (
    <Gate title={title} hint={wordsOf(error)}>
      <Button className="w-full" onClick={() => void refetch()}>
        {t("words.retry")}
      </Button>
    </Gate>
  );
}

interface GateFormProps {
  readonly form: Pick<ReturnType<typeof useForm<object>>, "problem" | "busy" | "onSubmit">;
  /** The verb of the submission, on its button. */
  readonly action: string;
  readonly children: ReactNode;
  /** Below the button. */
  readonly after?: ReactNode;
}

export function GateForm({ form, action, children, after }: GateFormProps) {
  return (
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <FormProblem words={form.problem} />
      {children}
      <Button type="submit" kind="primary" busy={form.busy}>
        {action}
      </Button>
      {after}
    </form>
  );
}
