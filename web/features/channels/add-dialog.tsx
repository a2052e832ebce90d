import type { MouseEvent } from "react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import {
  AddressField,
  type ChannelFieldsProps,
  Folded,
  KeysField,
  ModelsField,
  NameField,
  OrderField,
} from "./channel-fields.tsx";
import { checkChannel, EMPTY_CHANNEL, fieldOf, newChannel, PROTOCOLS } from "./channel-form.ts";
import { useUnpriced } from "./known-models.ts";
import { priceErrors } from "./new-models.ts";
import { CHANNELS_PATH } from "./paths.ts";
import { PriceFields } from "./price-fields.tsx";
import { useTrial } from "./trial.ts";
import { TrialSection } from "./trial-section.tsx";
import { KEYLESS, PLACELESS, VENDOR_IDS, vendorName } from "./vendors.ts";

interface AddDialogProps {
  readonly onClose: () => void;
  readonly onAdded: (channel: Channel) => void;
}

export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { t } = useSpeech();
  const { me } = useSession();
  const refresh = useRefresh();
  const toast = useToast();
  const trial = useTrial();
  const form = useForm({
    initial: EMPTY_CHANNEL,
    check: (values) => ({
      ...checkChannel(values, t),
      ...priceErrors(values.prices, unpriced, t),
    }),
    fieldOf,
    submit: async (values) => {
      const body = newChannel(values, unpriced);
      if (!(await trial.settles(body))) return;
      const channel = await api.post<Channel>(CHANNELS_PATH, body);
      refresh([CHANNELS_PATH, "/api/me"]);
      toast.done(t("channels.added", { name: channel.name }));
      onAdded(channel);
    },
  });
  const unpriced = useUnpriced(form.values.models);
  const body = newChannel(form.values, unpriced);
  const tryOut = (event: MouseEvent<HTMLButtonElement>) =>
    form.attempt(event, () => trial.run(body));
  return (
    <FormDialog
      form={form}
      stays
      leavable={trial.busy}
      onClose={onClose}
      title={t("channels.addTitle")}
      description={t("channels.addHint")}
      action={t(trial.failed(body) ? "channels.addAnyway" : "channels.add")}
    >
      {me.test_payment && <Notice tone="warn">{t("channels.testPaymentEnds")}</Notice>}
      <NewFields form={form} />
      <TrialSection form={form} tried={trial.tried} busy={trial.busy} onTry={tryOut} />
      <PriceFields form={form} unpriced={unpriced} />
    </FormDialog>
  );
}

/** Seven at most: what a known vendor does not need is not asked for. */
function NewFields({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  const { vendor } = form.values;
  const placeless = PLACELESS.includes(vendor);
  return (
    <>
      <Field label={t("channels.vendor")} error={form.errors.vendor}>
        <Select
          value={vendor}
          choices={VENDOR_IDS.map((value) => ({
            value,
            label: vendorName(value, t("channels.vendor_custom")),
          }))}
          onChange={(value) => form.set("vendor", value)}
        />
      </Field>
      {placeless && <AddressField form={form} />}
      {vendor === "custom" && <ProtocolField form={form} />}
      <KeysField form={form} label={t("channels.keys")} optional={KEYLESS.includes(vendor)} />
      <NameField form={form} />
      <Folded form={form} open={false}>
        {!placeless && <AddressField form={form} />}
        <ModelsField form={form} />
        <OrderField form={form} name="priority" />
      </Folded>
    </>
  );
}

function ProtocolField({ form }: ChannelFieldsProps) {
  const { t } = useSpeech();
  return (
    <Field label={t("channels.protocols")} error={form.errors.protocols}>
      <Select
        value={form.values.protocols}
        choices={PROTOCOLS.map((value) => ({ value, label: t(`channels.protocol_${value}`) }))}
        onChange={(value) => form.set("protocols", value)}
      />
    </Field>
  );
}
