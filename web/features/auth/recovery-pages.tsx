import { useLocation, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { requestReset, resetPassword } from "../../lib/auth/auth.ts";
import { emailError, errorsOf, newPasswordError } from "../../lib/checks.ts";
import type { Search } from "../../lib/filters.ts";
import { useForm } from "../../lib/form.ts";
import { TextLink } from "../../lib/link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Command } from "./command.tsx";
import { Gate, GateForm } from "./gate.tsx";
import { PasswordField } from "./password-field.tsx";
import { useSignInOptions } from "./sign-in-page.tsx";

function SignInLink() {
  const { t } = useSpeech();
  return <TextLink to="/sign-in">{t("auth.backToSignIn")}</TextLink>;
}

export function ForgotPage() {
  const { t, rich } = useSpeech();
  const options = useSignInOptions();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { email: "" },
    check: ({ email }) => errorsOf({ email: emailError(email, t) }),
    submit: async ({ email }) => {
      await requestReset(email.trim());
      setSentTo(email.trim());
    },
  });
  if (options?.mail === false) {
    const command = <Command>./bin/faregate operator reset you@example.com</Command>;
    const hint = rich("auth.forgotNoMail", { command });
    return <Gate title={t("auth.forgotTitle")} hint={hint} foot={<SignInLink />} />;
  }
  if (!options) return <Gate key="waiting" waiting title={t("auth.forgotTitle")} />;
  if (sentTo) {
    const email = <strong className="font-medium text-text">{sentTo}</strong>;
    return (
      <Gate
        title={t("auth.sentTitle")}
        hint={rich("auth.sentHint", { email })}
        foot={<SignInLink />}
      />
    );
  }
  return (
    <Gate title={t("auth.forgotTitle")} hint={t("auth.forgotHint")} foot={<SignInLink />}>
      <GateForm form={form} action={t("auth.sendLink")}>
        <TextField
          form={form}
          name="email"
          label={t("auth.email")}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
      </GateForm>
    </Gate>
  );
}

export function ResetPage() {
  const { t } = useSpeech();
  const search: Search = useSearch({ strict: false });
  const hash = useLocation({ select: (location) => location.hash });
  // Links of before had it in the query.
  const token = hash || search.token || "";
  const [done, setDone] = useState(false);
  const form = useForm({
    initial: { password: "" },
    check: ({ password }) => errorsOf({ password: newPasswordError(password, t) }),
    submit: async ({ password }) => {
      await resetPassword(token, password);
      setDone(true);
    },
  });
  if (done) {
    return <Gate title={t("auth.resetTitle")} hint={t("auth.resetDone")} foot={<SignInLink />} />;
  }
  if (token === "") {
    const again = <TextLink to="/forgot-password">{t("auth.forgotTitle")}</TextLink>;
    return <Gate title={t("auth.resetTitle")} hint={t("errors.badLink")} foot={again} />;
  }
  return (
    <Gate title={t("auth.resetTitle")} foot={<SignInLink />}>
      <GateForm form={form} action={t("auth.resetAction")}>
        <PasswordField form={form} label={t("auth.newPassword")} />
      </GateForm>
    </Gate>
  );
}
