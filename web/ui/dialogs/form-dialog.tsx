import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../button.tsx";
import { Decision, Dialog, type DialogProps } from "./dialog.tsx";
import { FormProblem } from "./form-problem.tsx";

/** What a dialog needs of `useForm`, whatever its values are. */
interface Submission {
  readonly problem: string | undefined;
  readonly busy: boolean;
  readonly isTyped: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

interface FormDialogProps extends Omit<DialogProps, "footer" | "busy"> {
  readonly form: Submission;
  /** The verb of the submission, on its button. */
  readonly action: ReactNode;
  /** The word of the other button, where it does not cancel. */
  readonly back?: string;
  readonly danger?: boolean | undefined;
  /** It may be left while it is busy: nothing is done yet, or what comes of it does not need the dialog. */
  readonly leavable?: boolean;
  /** In a long form the problem stands below its fields, beside the buttons. */
  readonly problemLast?: boolean;
}

/** A field whose words are not finished, such as half a date: the browser gives none, which would mean none. */
function unfinished({ currentTarget }: FormEvent<HTMLFormElement>): boolean {
  const fields = [...currentTarget.elements].filter((field) => field instanceof HTMLInputElement);
  const bad = fields.find(({ validity }) => validity.badInput);
  return bad !== undefined && !bad.reportValidity();
}

/** Fields in a dialog, with the buttons that send or leave them. It is open as long as it is drawn. */
export function FormDialog(props: FormDialogProps) {
  const { form, action, back, danger, leavable, problemLast, children, ...dialog } = props;
  const id = useId();
  const problem = <FormProblem words={form.problem} />;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (unfinished(event)) event.preventDefault();
    else form.onSubmit(event);
  };
  const [isLeaving, setIsLeaving] = useState(false);
  // What was typed into a dialog that stays is lost with it, so a key that is pressed by habit asks first.
  const asks = dialog.stays && form.isTyped && !form.busy;
  const kind = danger ? "danger" : "primary";
  const footer = isLeaving ? (
    <LeaveQuestion onLeave={dialog.onClose} onStay={() => setIsLeaving(false)} />
  ) : (
    <Decision {...{ back, kind }} onClose={dialog.onClose} type="submit" form={id} busy={form.busy}>
      {action}
    </Decision>
  );
  return (
    <Dialog
      {...dialog}
      onEscape={asks ? () => setIsLeaving(!isLeaving) : undefined}
      busy={form.busy && !leavable}
      footer={footer}
    >
      <form id={id} noValidate className="flex flex-col gap-4" onSubmit={onSubmit}>
        {!problemLast && problem}
        {children}
        {problemLast && problem}
      </form>
    </Dialog>
  );
}

interface LeaveQuestionProps {
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

function LeaveQuestion({ onLeave, onStay }: LeaveQuestionProps) {
  const { t } = useSpeech();
  return (
    <>
      <p role="alert" className="mr-auto self-center text-sm">
        {t("words.discardAsk")}
      </p>
      <Button autoFocus onClick={onStay}>
        {t("words.keepEditing")}
      </Button>
      <Button kind="danger" onClick={onLeave}>
        {t("words.discard")}
      </Button>
    </>
  );
}
