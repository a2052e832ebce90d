import type { OperatorModel } from "../../../src/console/operator/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { checkModel, EMPTY_MODEL, type ModelValues, newModel } from "./model-form.ts";
import { MODELS_PATH } from "./rates.ts";

interface AddDialogProps {
  readonly onClose: () => void;
  readonly onAdded: (model: OperatorModel) => void;
}

export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const form = useForm({
    initial: EMPTY_MODEL,
    check: (values) => checkModel(values, t),
    fieldOf: (param) => param.replace(/[[.].*$/, ""),
    submit: async (values) => {
      const model = await api.post<OperatorModel>(MODELS_PATH, newModel(values));
      refresh([MODELS_PATH]);
      toast.done(t("prices.added", { model: model.id }));
      onAdded(model);
    },
  });
  const field = (name: keyof ModelValues, control: object = {}) => (
    <TextField form={form} name={name} label={t(`prices.new_${name}`)} {...control} />
  );
  return (
    <FormDialog
      form={form}
      stays
      onClose={onClose}
      title={t("prices.addTitle")}
      description={t("prices.addHint")}
      action={t("prices.add")}
    >
      {field("id", { mono: true, maxLength: 128, placeholder: "team/model-1" })}
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
        {field("owned_by", { placeholder: "acme" })}
        {field("upstream", { mono: true, placeholder: "vllm=model-1" })}
        {field("context", { inputMode: "numeric", placeholder: "128000" })}
        {field("max_output", { inputMode: "numeric", placeholder: "8192" })}
        {field("input", { money: true })}
        {field("output", { money: true })}
      </div>
    </FormDialog>
  );
}
