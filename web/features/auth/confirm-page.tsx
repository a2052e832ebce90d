import { useLocation } from "@tanstack/react-router";
import { useSpeech } from "../../i18n/language.tsx";
import { confirmSignUp } from "../../lib/auth/auth.ts";
import { errorsOf, requiredError } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { TextLink } from "../../lib/link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Gate, GateForm } from "./gate.tsx";
import { useEnter } from "./sign-in-page.tsx";

/** Somebody comes from the mail of their sign-up, and shows by the password that it was theirs. */
export function ConfirmPage() {
  const { t } = useSpeech();
  const token = useLocation({ select: ({ hash }) => hash });
  const enter = useEnter();
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => errorsOf({ password: requiredError(password, t) }),
    submit: async ({ password }) => {
      await confirmSignUp(token, password);
      await enter();
    },
  });
  const again = <TextLink to="/sign-up">{t("auth.signUp")}</TextLink>;
  if (!token) {
    return <Gate title={t("auth.confirmTitle")} hint={t("errors.badLink")} foot={again} />;
  }
  return (
    <Gate title={t("auth.confirmTitle")} hint={t("auth.confirmHint")} foot={again}>
      <GateForm form={form} action={t("auth.confirmAction")}>
        <TextField
          form={form}
          name="password"
          label={t("auth.password")}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      </GateForm>
    </Gate>
  );
}
