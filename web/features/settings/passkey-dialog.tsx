import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { addPasskey, PASSKEYS } from "./calls.ts";
import { deviceOf } from "./device.ts";
import { useDeviceWords } from "./device-words.ts";
import { isNotFresh, NotFreshNotice } from "./not-fresh.tsx";

/** The browser's own dialog follows; a sign-in that lies too far back is refused before it. */
export function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const wordsOfDevice = useDeviceWords();
  const [stale, setStale] = useState(false);
  const form = useForm({
    initial: { name: wordsOfDevice(deviceOf(navigator.userAgent)) },
    check: ({ name }) => (name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: ({ name }) =>
      addPasskey(name.trim()).catch((error: unknown) => {
        setStale(isNotFresh(error));
        throw error;
      }),
    done: (added) => (added ? t("settings.passkeyAdded") : undefined),
    onDone: (added) => added && onClose(),
    refresh: [PASSKEYS],
  });
  return (
    <FormDialog
      form={stale ? { ...form, problem: undefined } : form}
      onClose={onClose}
      title={t("settings.passkeyAdd")}
      action={t("words.continue")}
    >
      {stale && <NotFreshNotice />}
      <TextField
        form={form}
        name="name"
        label={t("settings.passkeyName")}
        hint={t("settings.passkeyNameHint")}
        autoFocus
        maxLength={100}
      />
    </FormDialog>
  );
}
