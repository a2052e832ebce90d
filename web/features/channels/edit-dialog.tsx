import type { MouseEvent } from "react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import type { Closes } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { toggled } from "../keys/model-choice.ts";
import {
  AddressField,
  type ChannelFieldsProps,
  Folded,
  KeysField,
  ModelsField,
  NameField,
  OrderField,
} from "./channel-fields.tsx";
import { changesTarget, channelChange, checkChannel, fieldOf, valuesOf } from "./channel-form.ts";
import { useUnpriced } from "./known-models.ts";
import { priceErrors } from "./new-models.ts";
import { CHANNELS_PATH } from "./paths.ts";
import { PriceFields } from "./price-fields.tsx";
import { useTrial } from "./trial.ts";
import { TrialSection } from "./trial-section.tsx";

export function EditDialog({ channel, onClose }: Closes & { readonly channel: Channel }) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const trial = useTrial();
  const before = valuesOf(channel);
  const form = useForm({
    initial: before,
    check: (values) => ({
      ...checkChannel(values, t, channel.keys.length > values.removed.length),
      ...priceErrors(values.prices, unpriced, t),
    }),
    fieldOf,
    submit: async (values) => {
      const change = channelChange(before, values, unpriced);
      const tried = { id: channel.id, ...change };
      // Another name or another order needs no trial.
      if (changesTarget(before, values) && !(await trial.settles(tried))) return;
      await api.patch<Channel>(`${CHANNELS_PATH}/${channel.id}`, change);
      refresh([CHANNELS_PATH]);
      toast.done(t("channels.saved"));
      onClose();
    },
  });
  const { values } = form;
  const unpriced = useUnpriced(values.models);
  const body = { id: channel.id, ...channelChange(before, values, unpriced) };
  const tryOut = (event: MouseEvent<HTMLButtonElement>) =>
    form.attempt(event, () => trial.run(body));
  return (
    <FormDialog
      form={form}
      stays
      leavable={trial.busy}
      onClose={onClose}
      title={channel.name}
      action={t(trial.failed(body) ? "channels.saveAnyway" : "words.save")}
    >
      <NameField form={form} />
      <KeysField form={form} label={t("channels.addKeys")} optional />
      <RemovedKeys form={form} channel={channel} />
      <Folded form={form} open={`${values.base_url}${values.models}` !== ""}>
        <AddressField form={form} />
        <ModelsField form={form} />
        <div className="grid grid-cols-2 items-start gap-3">
          <OrderField form={form} name="priority" />
          <OrderField form={form} name="weight" />
        </div>
      </Folded>
      <TrialSection form={form} tried={trial.tried} busy={trial.busy} onTry={tryOut} />
      <PriceFields form={form} unpriced={unpriced} />
    </FormDialog>
  );
}

function RemovedKeys({ form, channel }: ChannelFieldsProps & { readonly channel: Channel }) {
  const { t } = useSpeech();
  const { removed } = form.values;
  const named = channel.keys.filter((key) => key.last_four !== "");
  if (named.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-[13px] font-medium">{t("channels.removeKeys")}</legend>
      {named.map(({ last_four: lastFour, state }) => (
        <Checkbox
          key={lastFour}
          checked={removed.includes(lastFour)}
          label={t("channels.removeKey", { lastFour })}
          hint={state === "ok" ? undefined : t(`channels.keyState_${state}`)}
          onChange={() => form.set("removed", toggled(removed, lastFour))}
        />
      ))}
    </fieldset>
  );
}
