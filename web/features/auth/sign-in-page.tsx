import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import type { SignInOptions } from "../../../src/accounts/contract/sign-in.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { passkeysWork, signIn, signInWith, signInWithPasskey } from "../../lib/auth/auth.ts";
import { emailError, errorsOf, requiredError } from "../../lib/checks.ts";
import type { Search } from "../../lib/filters.ts";
import { useForm } from "../../lib/form.ts";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { Gate, GateForm } from "./gate.tsx";
import { safePath } from "./safe-path.ts";
import { TwoFactor } from "./two-factor.tsx";

/** Where to go once the visitor is somebody else than before. */
export function useEnter(): (to?: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (to) => {
    client.clear();
    const [path = "/", query] = safePath(to).split("?");
    await navigate({ to: path, search: Object.fromEntries(new URLSearchParams(query)) as never });
  };
}

/** Why a provider's page led back here; its own words in the address may be anybody's. */
function providerProblem(code: string) {
  if (code === "SIGN_UP_REFUSED") return "errors.signUpRefused";
  return code === "account_not_linked" ? "errors.notLinked" : "errors.providerFailed";
}

export function useSignInOptions(): SignInOptions | undefined {
  return useResource<SignInOptions>("/api/sign-in-options").data;
}

export function SignInPage() {
  const { t, rich } = useSpeech();
  const search: Search = useSearch({ strict: false });
  const enter = useEnter();
  const options = useSignInOptions();
  const [second, setSecond] = useState(false);
  const done = () => enter(search.to);
  if (second) return <TwoFactor onDone={done} onBack={() => setSecond(false)} />;
  const signUp = (
    <TextLink to="/sign-up" search={search}>
      {t("auth.signUp")}
    </TextLink>
  );
  const foot =
    options?.signup === "open"
      ? rich("auth.noAccount", { link: signUp })
      : options?.signup === "invite" && t("auth.inviteOnly");
  return (
    <Gate title={t("auth.signInTitle")} foot={foot}>
      {search.error && (
        <div className="mb-4">
          <FormProblem words={t(providerProblem(search.error))} />
        </div>
      )}
      <PasswordForm onDone={done} onSecond={() => setSecond(true)} />
      <OtherWays providers={options?.providers ?? []} to={safePath(search.to)} onDone={done} />
    </Gate>
  );
}

interface PasswordFormProps {
  readonly onDone: () => Promise<void>;
  readonly onSecond: () => void;
}

function PasswordForm({ onDone, onSecond }: PasswordFormProps) {
  const { t } = useSpeech();
  const form = useForm({
    initial: { email: "", password: "" },
    check: ({ email, password }) =>
      errorsOf({ email: emailError(email, t), password: requiredError(password, t) }),
    submit: async ({ email, password }) => {
      if (await signIn(email.trim(), password)) onSecond();
      else await onDone();
    },
  });
  return (
    <GateForm
      form={form}
      action={t("auth.signIn")}
      after={
        <p className="text-center text-[13px]">
          <TextLink to="/forgot-password">{t("auth.forgot")}</TextLink>
        </p>
      }
    >
      <TextField
        form={form}
        name="email"
        label={t("auth.email")}
        type="email"
        autoComplete="username webauthn"
        required
        autoFocus
      />
      <TextField
        form={form}
        name="password"
        label={t("auth.password")}
        type="password"
        autoComplete="current-password"
        required
      />
    </GateForm>
  );
}

interface OtherWaysProps {
  readonly providers: SignInOptions["providers"];
  readonly to: string;
  readonly onDone: () => Promise<void>;
}

function OtherWays({ providers, to, onDone }: OtherWaysProps) {
  const { t } = useSpeech();
  const toast = useToast();
  const withPasskey = passkeysWork();
  if (!withPasskey && providers.length === 0) return null;
  const tryPasskey = async () => {
    if (await signInWithPasskey()) await onDone();
  };
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p className="flex items-center gap-3 py-1 text-xs text-muted">
        <span className="h-px flex-1 bg-line" />
        {t("auth.or")}
        <span className="h-px flex-1 bg-line" />
      </p>
      {withPasskey && (
        <Button onClick={() => void tryPasskey().catch(toast.failed)}>
          <Fingerprint size={16} />
          {t("auth.passkey")}
        </Button>
      )}
      {providers.map(({ id, name }) => (
        <Button key={id} onClick={() => void signInWith(id, to).catch(toast.failed)}>
          {t("auth.with", { name })}
        </Button>
      ))}
    </div>
  );
}
