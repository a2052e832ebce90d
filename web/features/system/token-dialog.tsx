import { useState } from "react";
import type { CreatedToken } from "../../../src/accounts/contract/operators.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import type { Closes } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../../ui/dialogs/secret-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { TOKENS } from "./choices.ts";

/** First the name, then the secret, which is in this dialog and nowhere else. */
export function TokenDialog({ onClose }: Closes) {
  const { t } = useSpeech();
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    initial: { name: "" },
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: ({ name }) => api.post<CreatedToken>(TOKENS, { name: name.trim() }),
    onDone: (made) => setSecret(made.secret),
    refresh: [TOKENS],
  });
  if (secret !== undefined) {
    return (
      <SecretDialog
        onClose={onClose}
        title={t("system.tokenSecretTitle")}
        description={t("system.tokenSecretHint")}
        secret={secret}
        label={t("system.tokenSecretLabel")}
        copy={t("system.tokenCopy")}
        saved={t("system.tokenSaved")}
      />
    );
  }
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("system.tokenTitle")}
      action={t("system.tokenCreate")}
    >
      <TextField
        form={form}
        name="name"
        label={t("system.tokenName")}
        hint={t("system.tokenNameHint")}
        autoFocus
        maxLength={100}
      />
    </FormDialog>
  );
}
