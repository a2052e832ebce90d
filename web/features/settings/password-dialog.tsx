import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SESSIONS } from "./calls.ts";

const CHARACTERS_MIN = 10;

function usePasswordForm(onClose: () => void) {
  const { t } = useSpeech();
  return useForm({
    initial: { current: "", next: "" },
    check: ({ current, next }) => ({
      ...(current === "" && { current: t("errors.required") }),
      ...(next.length < CHARACTERS_MIN && { next: t("settings.passwordRule") }),
    }),
    submit: ({ current, next }) => {
      const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
      return api.post("/api/auth/change-password", body);
    },
    done: t("settings.passwordChanged"),
    onDone: onClose,
    refresh: [SESSIONS],
  });
}

export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const form = usePasswordForm(onClose);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("settings.changePassword")}
      description={t("settings.passwordHint")}
      action={t("settings.changePassword")}
    >
      <TextField
        form={form}
        name="current"
        label={t("settings.currentPassword")}
        autoFocus
        type="password"
        autoComplete="current-password"
      />
      <TextField
        form={form}
        name="next"
        label={t("settings.newPassword")}
        hint={t("settings.passwordRule")}
        type="password"
        autoComplete="new-password"
        maxLength={128}
      />
    </FormDialog>
  );
}
