import type { CreatedKey } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useSession } from "../../../lib/session.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/code.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { ClientTabs } from "../../overview/client-tabs.tsx";

interface SecretDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

/** The secret, this once, and what to do with it: the lines of each client, with the secret in them. */
export function SecretDialog({ created, onClose }: SecretDialogProps) {
  const { t } = useSpeech();
  const { me } = useSession();
  const { secret, models } = created;
  return (
    <Dialog
      stays
      open
      wide
      onClose={onClose}
      title={t("keys.secretTitle")}
      description={t("keys.secretHint")}
      footer={
        <>
          <CopyButton wordy text={secret} label={t("keys.copySecret")} />
          <Button kind="primary" onClick={onClose}>
            {t("keys.secretSaved")}
          </Button>
        </>
      }
    >
      <output
        aria-label={t("keys.secretLabel")}
        className="block rounded-lg border border-line bg-sunken p-3 font-mono text-[13px] break-all select-all"
      >
        {secret}
      </output>
      <h3 className="mt-5 mb-2 text-sm font-semibold">{t("keys.tryIt")}</h3>
      <ClientTabs address={me.public_url.replace(/\/+$/, "")} secret={secret} only={models} />
    </Dialog>
  );
}
