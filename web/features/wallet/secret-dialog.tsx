import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** What a webhook is signed with, which is in this dialog and nowhere else. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { t } = useSpeech();
  return (
    <Dialog
      open
      stays
      onClose={onClose}
      title={t("wallet.webhookSecretTitle")}
      description={t("wallet.webhookSecretHint")}
      footer={
        <>
          <CopyButton wordy text={secret} />
          <Button kind="primary" onClick={onClose}>
            {t("words.done")}
          </Button>
        </>
      }
    >
      <output
        aria-label={t("wallet.webhookSecret")}
        className="block rounded-lg border border-line bg-sunken p-3 font-mono text-[13px] break-all select-all"
      >
        {secret}
      </output>
    </Dialog>
  );
}
