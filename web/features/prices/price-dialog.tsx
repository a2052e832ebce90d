import { useState } from "react";
import type {
  OperatorModel,
  PriceChange,
  PricePreview,
  Rate,
} from "../../../src/console/operator/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useNow } from "../../lib/time/now.ts";
import { Notice } from "../../ui/badge.tsx";
import { Decision, Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { RateDiff } from "./price-diff.tsx";
import {
  chargesOutput,
  checkPrice,
  type PriceValues,
  priceForm,
  priceInForce,
  valuesOf,
} from "./price-form.ts";
import { MODELS_PATH, modelPath, RATES } from "./rates.ts";

interface PriceDialogProps {
  readonly model: OperatorModel;
  readonly onClose: () => void;
}

interface Proposal {
  readonly body: Readonly<Record<string, unknown>>;
  /** Absent where nothing would be another price. */
  readonly change: PriceChange | undefined;
}

/** First the rates, then what they change; nothing is stored before that was seen. */
export function PriceDialog({ model, onClose }: PriceDialogProps) {
  const { t } = useSpeech();
  const current = priceInForce(model, useNow());
  const [proposal, setProposal] = useState<Proposal>();
  const form = useForm<PriceValues>({
    initial: valuesOf(current),
    check: (values) => checkPrice(values, t, chargesOutput(model)),
    fieldOf: (param) => param.replace(/[[.].*$/, ""),
    submit: async (values) => {
      const body = priceForm(values, current);
      const path = `${modelPath(model.id)}/price?preview=true`;
      const { data } = await api.put<PricePreview>(path, body);
      setProposal({ body, change: data[0] });
    },
  });
  if (proposal) {
    const back = () => setProposal(undefined);
    return <ApplyDialog model={model} proposal={proposal} onBack={back} onClose={onClose} />;
  }
  return (
    <FormDialog
      form={form}
      stays
      onClose={onClose}
      title={t("prices.changeTitle", { model: model.id })}
      description={t("prices.perMillion")}
      action={t("prices.preview")}
    >
      {current && current.above.length > 0 && <Notice>{t("prices.tiersKept")}</Notice>}
      {current && current.windows.length > 0 && (
        <Notice tone="warn">{t("prices.windowsEnd")}</Notice>
      )}
      <PriceFields form={form} model={model} />
    </FormDialog>
  );
}

interface PriceFieldsProps {
  readonly form: ReturnType<typeof useForm<PriceValues>>;
  readonly model: OperatorModel;
}

function PriceFields({ form, model }: PriceFieldsProps) {
  const { t } = useSpeech();
  const needed = (name: Rate) => name === "input" || (name === "output" && chargesOutput(model));
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
      {RATES.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={t(`prices.rate_${name}`)}
          optional={!needed(name)}
          money
        />
      ))}
      <TextField
        form={form}
        name="effective_from"
        label={t("prices.from")}
        hint={t("prices.fromHint")}
        className="col-span-2"
        type="date"
      />
    </div>
  );
}

interface ApplyDialogProps extends PriceDialogProps {
  readonly proposal: Proposal;
  readonly onBack: () => void;
}

function ApplyDialog({ model, proposal, onBack, onClose }: ApplyDialogProps) {
  const { t, rich } = useSpeech();
  const { body, change } = proposal;
  const apply = useAction(() => api.put(`${modelPath(model.id)}/price`, body), {
    refresh: [MODELS_PATH],
    done: t("prices.applied", { model: model.id }),
    onDone: onClose,
  });
  const main = { busy: apply.busy, disabled: !change, onClick: () => apply.run() };
  const footer = (
    <Decision onClose={onBack} back={t("words.back")} {...main}>
      {t("prices.apply")}
    </Decision>
  );
  const when =
    change && body.effective_from
      ? rich("prices.takesEffectAt", { time: <Time as="day" at={change.effective_from} /> })
      : t("prices.takesEffectNow");
  return (
    <Dialog
      stays
      busy={apply.busy}
      onClose={onClose}
      title={t("prices.reviewTitle", { model: model.id })}
      description={change ? when : t("prices.nothingChanges")}
      footer={footer}
    >
      {change && (
        <div className="flex flex-col gap-3">
          <RateDiff change={change} />
          <p className="text-[13px] text-muted">{t("prices.receiptsStay")}</p>
        </div>
      )}
    </Dialog>
  );
}
