import { useState } from "react";
import type { Draft, WritingCall } from "../../../../src/drafts/contract/draft.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useForm } from "../../../lib/form.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { FormProblem } from "../../../ui/dialogs/form-problem.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import { Money } from "../../../ui/money.tsx";
import { shortenText } from "../draft-calls.ts";
import { ModelField, useModelChoice } from "../model-field.tsx";
import { Counter } from "./counter.tsx";
import { LINE_LIMITS, type LineName } from "./measure.ts";

interface ShortenDialogProps {
  readonly draft: Pick<Draft, "id" | "version">;
  readonly field: LineName;
  readonly text: string;
  readonly onUse: (text: string) => void;
  /** The call has cost something, whether or not its text is used. */
  readonly onCalls: (calls: readonly WritingCall[]) => void;
  readonly onClose: () => void;
}

/** A model suggests, a person decides; nothing is cut by itself. */
export function ShortenDialog({ draft, field, text, onUse, onCalls, onClose }: ShortenDialogProps) {
  const { t } = useSpeech();
  const choice = useModelChoice();
  const [suggestion, setSuggestion] = useState<{ text: string; cost: string | null }>();
  const [turn, setTurn] = useState(0);
  const form = useForm({
    initial: { model: "" },
    check: () => (choice.choice.model === "" ? { model: t("playground.noModels") } : {}),
    submit: async () => {
      const limit = LINE_LIMITS[field].characters;
      const shorter = await shortenText(draft, { ...choice.choice, field, text, limit, turn });
      setTurn(turn + 1);
      onCalls(shorter.writing);
      setSuggestion({ text: shorter.text, cost: shorter.writing[0]?.cost ?? null });
    },
  });
  const busy = form.busy || choice.loading;
  const footer = (
    <>
      <Button type="submit" form="shorten" busy={busy} kind={suggestion ? "plain" : "primary"}>
        {suggestion ? t("words.retry") : t("drafts.shortenAction")}
      </Button>
      {suggestion && (
        <Button
          kind="primary"
          onClick={() => {
            onUse(suggestion.text);
            onClose();
          }}
        >
          {t("drafts.shortenUse")}
        </Button>
      )}
    </>
  );
  return (
    <Dialog
      onClose={onClose}
      title={t("drafts.shortenTitle")}
      description={t("drafts.writeHint")}
      footer={footer}
    >
      <form id="shorten" onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Line label={t("drafts.shortenNow")} field={field} text={text} />
        {suggestion ? (
          <Field
            label={t("drafts.shortenNew")}
            hint={
              <span className="flex justify-between gap-3">
                <Counter name={field} text={suggestion.text} />
                {suggestion.cost !== null && <Money amount={suggestion.cost} />}
              </span>
            }
          >
            <TextArea
              rows={2}
              value={suggestion.text}
              onChange={({ currentTarget }) =>
                setSuggestion({ ...suggestion, text: currentTarget.value })
              }
            />
          </Field>
        ) : (
          <ModelField choice={choice} error={form.errors.model} />
        )}
        <FormProblem words={form.problem} />
      </form>
    </Dialog>
  );
}

interface LineProps {
  readonly label: string;
  readonly field: LineName;
  readonly text: string;
}

function Line({ label, field, text }: LineProps) {
  return (
    <div className="rounded-lg border border-line bg-sunken px-3.5 py-2.5">
      <p className="flex justify-between gap-3 text-[13px] text-muted">
        {label}
        <Counter name={field} text={text} />
      </p>
      <p className="mt-1 text-sm break-words">{text}</p>
    </div>
  );
}
