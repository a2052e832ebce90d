import { Download } from "lucide-react";
import { useState } from "react";
import type { CreatedBatch } from "../../../src/payments/contract/codes.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { dayIn, formatMoney } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { type Closes, Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BATCHES } from "./batches.ts";
import { bodyOf, checkBatch, csvOf, EMPTY_BATCH, totalOf } from "./code-form.ts";

/** First the wishes, then the codes, which are in this dialog and nowhere else. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useSpeech();
  const zone = useTimeZone();
  const today = dayIn(useNow(), zone);
  const [made, setMade] = useState<CreatedBatch>();
  const form = useForm({
    initial: EMPTY_BATCH,
    check: (values) => checkBatch(values, today, t),
    submit: (values) => api.post<CreatedBatch>(BATCHES, bodyOf(values, zone)),
    onDone: setMade,
    refresh: [BATCHES],
  });
  if (made) return <CodesDialog made={made} onClose={onClose} />;
  const total = totalOf(form.values);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("codes.createTitle")}
      description={t("codes.createHint")}
      action={t("codes.create")}
    >
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          form={form}
          name="count"
          label={t("codes.count")}
          autoFocus
          inputMode="numeric"
        />
        <TextField
          form={form}
          name="amount"
          label={t("codes.amount")}
          hint={total && t("codes.total", { amount: formatMoney(total, locale) })}
          money
        />
      </div>
      <TextField
        form={form}
        name="expires_at"
        label={t("codes.expires")}
        optional
        hint={t("codes.expiresHint", { zone })}
        type="date"
        min={today}
      />
      <TextField
        form={form}
        name="note"
        label={t("codes.note")}
        optional
        hint={t("codes.noteHint")}
        maxLength={200}
      />
    </FormDialog>
  );
}

function save(made: CreatedBatch): void {
  const url = URL.createObjectURL(new Blob([csvOf(made)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${made.id}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

function CodesDialog({ made, onClose }: Closes & { readonly made: CreatedBatch }) {
  const { t } = useSpeech();
  const text = made.codes.join("\n");
  const footer = (
    <>
      <CopyButton wordy text={text} label={t("codes.copyAll")} />
      <Button onClick={() => save(made)}>
        <Download size={15} />
        {t("words.download")}
      </Button>
      <Button kind="primary" onClick={onClose}>
        {t("codes.saved")}
      </Button>
    </>
  );
  return (
    <Dialog
      shownOnce
      onClose={onClose}
      title={t("codes.madeTitle", { count: made.codes.length })}
      description={t("codes.madeHint")}
      footer={footer}
    >
      <textarea
        readOnly
        aria-label={t("codes.madeLabel")}
        value={text}
        rows={Math.min(made.codes.length, 10)}
        className="block w-full resize-none rounded-lg border border-line bg-sunken p-3 font-mono text-[13px]"
      />
    </Dialog>
  );
}
