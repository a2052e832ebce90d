import { useState } from "react";
import type { CreatedKey, KeyBody } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useSession } from "../../../lib/session.tsx";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { KeyFields } from "../key-fields.tsx";
import { NEW_KEY } from "../key-form.ts";
import { useKeyForm } from "../use-key-form.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** First the wishes, then the secret, which is in this dialog and nowhere else. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const [created, setCreated] = useState<CreatedKey>();
  const create = async (body: KeyBody) =>
    setCreated(await api.post<CreatedKey>(path("/keys"), body));
  const form = useKeyForm(NEW_KEY, create, [path("/keys"), path("/overview")]);
  if (created) return <SecretDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      wide
      onClose={onClose}
      title={t("keys.createTitle")}
      action={t("keys.create")}
    >
      <KeyFields isNew form={form} />
    </FormDialog>
  );
}
