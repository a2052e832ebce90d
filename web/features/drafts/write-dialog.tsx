import { Sparkles } from "lucide-react";
import { useState } from "react";
import type { Written } from "../../../src/drafts/contract/draft.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { useHere } from "../../lib/here.ts";
import { newIntent } from "../../lib/intents/intent.ts";
import { useRefresh } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { keepArticle, type WriteCall, type WrittenFor, writeArticle } from "./draft-calls.ts";
import { ModelField, useModelChoice } from "./model-field.tsx";

interface WriteDialogProps {
  /** Absent where there is none yet: then there is one when the model has answered. */
  readonly draft?: WrittenFor;
  /** Whether there is something that would be replaced. */
  readonly replaces: boolean;
  /** Unless the dialog was left meanwhile. */
  readonly onWritten: (written: Written) => void;
  readonly onClose: () => void;
}

type Writing = Omit<WriteDialogProps, "replaces"> & Pick<WriteCall, "account" | "model">;

/** Has an article written, and gives it to whoever waits for it, or else keeps it. */
function useWriting({ draft, account, model, onWritten, onClose }: Writing) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const toast = useToast();
  const refresh = useRefresh();
  const here = useHere();
  const [intent] = useState(newIntent);
  // Who has left has something else in hand: it stays theirs, and what was written is found in the list.
  const keep = async (written: Written) => {
    if (draft) {
      await keepArticle(path(""), written, intent);
      toast.done(t("drafts.writtenApart"));
    }
    refresh([path("/drafts")]);
  };
  const write = async (brief: string) => {
    const written = await writeArticle(draft, { account, model, brief, intent });
    const cost = written.writing_cost;
    if (cost !== null) toast.done(t("drafts.written", { cost: formatMoney(cost, locale) }));
    if (!here.current) return keep(written);
    onClose();
    onWritten(written);
  };
  return (brief: string) =>
    write(brief).catch((thrown: unknown) => {
      // Nobody sees the form any more.
      if (!here.current) toast.failed(thrown);
      throw thrown;
    });
}

export function WriteDialog({ replaces, ...writing }: WriteDialogProps) {
  const { t } = useSpeech();
  const choice = useModelChoice();
  const write = useWriting({ ...writing, ...choice.choice });
  const form = useForm({
    initial: { brief: "", model: "" },
    check: ({ brief }) => ({
      ...(brief.trim() === "" && { brief: t("drafts.needBrief") }),
      ...(choice.choice.model === "" && { model: t("playground.noModels") }),
    }),
    submit: ({ brief }) => write(brief),
  });
  return (
    <FormDialog
      form={{ ...form, busy: form.busy || choice.loading }}
      stays
      leavable
      onClose={writing.onClose}
      title={t("drafts.writeTitle")}
      description={t("drafts.writeHint")}
      action={
        <>
          <Sparkles size={15} />
          {t("drafts.writeAction")}
        </>
      }
      problemLast
    >
      <Field
        label={t("drafts.brief")}
        error={form.errors.brief}
        hint={replaces && t("drafts.writeReplaces")}
      >
        <TextArea
          rows={4}
          placeholder={t("drafts.briefPlaceholder")}
          value={form.values.brief}
          onChange={({ currentTarget }) => form.set("brief", currentTarget.value)}
        />
      </Field>
      <ModelField choice={choice} error={form.errors.model} />
      {form.busy && (
        <p role="status" className="text-sm text-muted">
          {t("drafts.writing")}
        </p>
      )}
    </FormDialog>
  );
}
