import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedToken } from "../../../src/accounts/contract/operators.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { TOKENS } from "./contract.ts";

/** First the name, then the secret, which is in this dialog and nowhere else. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return <NameDialog onClose={onClose} onMade={setSecret} />;
}

interface NameDialogProps {
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}

function NameDialog({ onClose, onMade }: NameDialogProps) {
  const { t } = useSpeech();
  const client = useQueryClient();
  const form = useForm({
    initial: { name: "" },
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: async ({ name }) => {
      onMade((await api.post<CreatedToken>(TOKENS, { name: name.trim() })).secret);
      await client.invalidateQueries({ queryKey: [TOKENS] });
    },
  });
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

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { t } = useSpeech();
  const footer = (
    <>
      <CopyButton wordy text={secret} label={t("system.tokenCopy")} />
      <Button kind="primary" onClick={onClose}>
        {t("system.tokenSaved")}
      </Button>
    </>
  );
  return (
    <Dialog
      stays
      open
      onClose={onClose}
      title={t("system.tokenSecretTitle")}
      description={t("system.tokenSecretHint")}
      footer={footer}
    >
      <output
        aria-label={t("system.tokenSecretLabel")}
        className="block rounded-lg border border-line bg-sunken p-3 font-mono text-[13px] break-all select-all"
      >
        {secret}
      </output>
    </Dialog>
  );
}
