import { Sparkles } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { Draft, Written } from "./contract.ts";
import { writeArticle } from "./draft-calls.ts";
import { ModelFields, useModelChoice } from "./model-fields.tsx";

interface WriteDialogProps {
  readonly draft: Pick<Draft, "id" | "version">;
  /** Whether there is something that would be replaced. */
  readonly replaces: boolean;
  readonly onWritten: (written: Written) => void;
  readonly onClose: () => void;
}

export function WriteDialog({ draft, replaces, onWritten, onClose }: WriteDialogProps) {
  const { t, locale } = useSpeech();
  const toast = useToast();
  const choice = useModelChoice();
  const form = useForm({
    initial: { brief: "", secret: "" },
    check: ({ brief }) => ({
      ...(brief.trim() === "" && { brief: t("drafts.needBrief") }),
      ...(choice.choice.secret === "" && { secret: t("playground.needKey") }),
    }),
    submit: async ({ brief }) => {
      const written = await writeArticle({ ...choice.choice, brief, draft });
      onWritten(written);
      const cost = written.writing_cost;
      if (cost !== null) toast.done(t("drafts.written", { cost: formatMoney(cost, locale) }));
      onClose();
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="write-article" busy={form.busy}>
        <Sparkles size={15} />
        {t("drafts.writeAction")}
      </Button>
    </>
  );
  return (
    <Dialog
      stays
      open
      onClose={onClose}
      title={t("drafts.writeTitle")}
      description={t("drafts.writeHint")}
      footer={footer}
    >
      <form id="write-article" onSubmit={form.onSubmit} className="flex flex-col gap-4">
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
        <ModelFields choice={choice} error={form.errors.secret} />
        {form.busy && (
          <p role="status" className="text-sm text-muted">
            {t("drafts.writing")}
          </p>
        )}
        <FormProblem words={form.problem} />
      </form>
    </Dialog>
  );
}
