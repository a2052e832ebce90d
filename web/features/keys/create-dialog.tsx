import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import type { CreatedKey } from "../../lib/contract.ts";
import { useForm } from "../../lib/form.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyFields } from "./key-fields.tsx";
import { checkKey, EMPTY_KEY, fieldOf, newKeyWishes } from "./key-form.ts";

interface CreateDialogProps {
  readonly onClose: () => void;
}

/** First the wishes, then the secret, which is in this dialog and nowhere else. */
export function CreateDialog({ onClose }: CreateDialogProps) {
  const [created, setCreated] = useState<CreatedKey>();
  if (created) return <SecretDialog created={created} onClose={onClose} />;
  return <WishesDialog onClose={onClose} onCreated={setCreated} />;
}

interface WishesDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

function WishesDialog({ onClose, onCreated }: WishesDialogProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const client = useQueryClient();
  const form = useForm({
    initial: EMPTY_KEY,
    check: (values) => checkKey(values, t),
    fieldOf,
    submit: async (values) => {
      onCreated(await api.post<CreatedKey>(path("/keys"), newKeyWishes(values, timeZone)));
      await client.invalidateQueries({ queryKey: [path("/keys")] });
    },
  });
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="new-key" busy={form.busy}>
        {t("keys.create")}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={t("keys.createTitle")} footer={footer}>
      <form id="new-key" onSubmit={form.onSubmit}>
        <KeyFields form={form} emptyLimit={t("keys.limitDefault")} />
      </form>
    </Dialog>
  );
}

interface SecretDialogProps extends CreateDialogProps {
  readonly created: CreatedKey;
}

function SecretDialog({ created, onClose }: SecretDialogProps) {
  const { t } = useSpeech();
  return (
    <Dialog
      stays
      open
      onClose={onClose}
      title={t("keys.secretTitle")}
      description={t("keys.secretHint")}
      footer={
        <>
          <CopyButton wordy text={created.secret} label={t("keys.copySecret")} />
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
        {created.secret}
      </output>
    </Dialog>
  );
}
