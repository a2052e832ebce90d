import { useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useToast } from "../../ui/toast.tsx";
import { changePassword, SESSIONS } from "./calls.ts";

const CHARACTERS_MIN = 10;

function usePasswordForm(onClose: () => void) {
  const { t } = useSpeech();
  const toast = useToast();
  const client = useQueryClient();
  return useForm({
    initial: { current: "", next: "" },
    check: ({ current, next }) => ({
      ...(current === "" && { current: t("errors.required") }),
      ...(next.length < CHARACTERS_MIN && { next: t("settings.passwordRule") }),
    }),
    submit: async ({ current, next }) => {
      await changePassword(current, next);
      await client.invalidateQueries({ queryKey: [SESSIONS] });
      toast.done(t("settings.passwordChanged"));
      onClose();
    },
  });
}

export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const form = usePasswordForm(onClose);
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="password" busy={form.busy}>
        {t("settings.changePassword")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("settings.changePassword")}
      description={t("settings.passwordHint")}
      footer={footer}
    >
      <form id="password" className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <Field label={t("settings.currentPassword")} error={form.errors.current}>
          <Input
            autoFocus
            type="password"
            autoComplete="current-password"
            value={form.values.current}
            onValueChange={(value) => form.set("current", value)}
          />
        </Field>
        <Field
          label={t("settings.newPassword")}
          hint={t("settings.passwordRule")}
          error={form.errors.next}
        >
          <Input
            type="password"
            autoComplete="new-password"
            maxLength={128}
            value={form.values.next}
            onValueChange={(value) => form.set("next", value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
