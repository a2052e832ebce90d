import type { PriceChange } from "../../../src/console/operator/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { type Closes, Decision, Dialog } from "../../ui/dialogs/dialog.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { ModelsDiff } from "./price-diff.tsx";
import { MODELS_PATH, SETTINGS_PATH } from "./rates.ts";

export interface Proposal {
  readonly percent: string;
  readonly changes: readonly PriceChange[];
}

/** What the markup would change, before it does. */
export function MarkupDialog({ proposal, onClose }: Closes & { readonly proposal: Proposal }) {
  const { t } = useSpeech();
  const { percent, changes } = proposal;
  const apply = useAction(() => api.put(SETTINGS_PATH, { markup_percent: percent }), {
    refresh: [SETTINGS_PATH, MODELS_PATH],
    done: t("prices.markupApplied", { percent }),
    onDone: onClose,
  });
  const footer = (
    <Decision onClose={onClose} busy={apply.busy} onClick={() => apply.run()}>
      {t("prices.apply")}
    </Decision>
  );
  return (
    <Dialog
      stays
      wide
      busy={apply.busy}
      onClose={onClose}
      title={t("prices.markupTitle", { percent })}
      description={t("prices.markupChanges", { count: changes.length })}
      footer={footer}
    >
      <ModelsDiff changes={changes} />
      <p className="mt-3 text-[13px] text-muted">{t("prices.receiptsStay")}</p>
    </Dialog>
  );
}
