import { useState } from "react";
import type { OperatorModel } from "../../../src/console/operator/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { type Closes, Drawer } from "../../ui/dialogs/dialog.tsx";
import { ChannelName } from "../channels/channel-name.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { MODELS_PATH, modelPath } from "./rates.ts";
import { Versions } from "./versions.tsx";

export function ModelDrawer({ model, onClose }: Closes & { readonly model: OperatorModel }) {
  const { t } = useSpeech();
  const [pricing, setPricing] = useState(false);
  if (pricing) return <PriceDialog model={model} onClose={() => setPricing(false)} />;
  const ownPrice = model.prices.some(({ id }) => id !== null);
  // What the file calls free can be given a price here; what is called free here has none.
  const freeHere = model.free && model.prices.every(({ source }) => source === "console");
  return (
    <Drawer
      onClose={onClose}
      title={model.display_name}
      description={model.owned_by}
      footer={
        <>
          {(model.changed_here || ownPrice) && <ResetButton model={model} onDone={onClose} />}
          {!freeHere && (
            <Button kind="primary" onClick={() => setPricing(true)}>
              {t("prices.changePrice")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {model.problem && <Notice tone="bad">{model.problem}</Notice>}
        <Facts model={model} />
        {freeHere ? (
          <p className="text-sm text-muted">{t("prices.freeHint")}</p>
        ) : (
          <Versions model={model} />
        )}
      </div>
    </Drawer>
  );
}

function Facts({ model }: { readonly model: OperatorModel }) {
  const { t, locale } = useSpeech();
  const facts = [
    { label: t("prices.model"), value: <Code>{model.id}</Code> },
    {
      label: t("prices.servedBy"),
      value:
        model.channels.length > 0 ? (
          <span className="flex flex-wrap gap-x-3 gap-y-1">
            {model.channels.map((id) => (
              <ChannelName key={id} id={id} />
            ))}
          </span>
        ) : (
          <span className="text-warn">{t("prices.servedByNone")}</span>
        ),
    },
    { label: t("prices.new_context"), value: formatNumber(model.context, locale) },
    { label: t("prices.new_max_output"), value: formatNumber(model.max_output, locale) },
    {
      label: t("prices.origin"),
      value:
        model.origin === "faregate.yaml" ? (
          <code className="font-mono text-[13px]">{model.origin}</code>
        ) : (
          t(`prices.origin_${model.origin}`)
        ),
    },
  ];
  return (
    <dl className="text-sm">
      {facts.map(({ label, value }) => (
        <div
          key={label}
          className="flex min-w-0 items-baseline justify-between gap-4 border-b border-line py-2 last:border-0"
        >
          <dt className="shrink-0 text-muted">{label}</dt>
          <dd className="min-w-0 text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ResetButtonProps {
  readonly model: OperatorModel;
  readonly onDone: () => void;
}

/** What the console says is taken back: a model of its own is gone, another is as it was. */
function ResetButton({ model, onDone }: ResetButtonProps) {
  const { t } = useSpeech();
  const own = model.origin === "console";
  const action = own ? t("words.delete") : t("prices.reset");
  return (
    <Asked
      button={{ kind: "danger", className: "mr-auto" }}
      title={t(own ? "prices.deleteTitle" : "prices.resetTitle", { model: model.id })}
      action={action}
      call={() => api.delete(modelPath(model.id))}
      refresh={[MODELS_PATH]}
      done={t("prices.resetDone", { model: model.id })}
      onDone={onDone}
    >
      {own ? t("prices.deleteHint") : t("prices.resetHint")}
    </Asked>
  );
}
