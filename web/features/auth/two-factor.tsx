import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { verifyBackupCode, verifyTotp } from "../../lib/auth/auth.ts";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { Gate, GateForm } from "./gate.tsx";

interface TwoFactorProps {
  readonly onDone: () => Promise<void>;
  readonly onBack: () => void;
}

/** The second step of a sign-in: a code of the app, or one that was saved for a bad day. */
export function TwoFactor({ onDone, onBack }: TwoFactorProps) {
  const { t } = useSpeech();
  const [backup, setBackup] = useState(false);
  const form = useForm({
    initial: { code: "", trust: false },
    check: ({ code }) => (code.trim() === "" ? { code: t("errors.required") } : {}),
    submit: async ({ code, trust }) => {
      const clean = code.replaceAll(/\s/g, "");
      await (backup ? verifyBackupCode(clean) : verifyTotp(clean, trust));
      await onDone();
    },
  });
  const swap = () => {
    form.reset();
    setBackup(!backup);
  };
  return (
    <Gate
      title={t("auth.totpTitle")}
      hint={t(backup ? "auth.backupHint" : "auth.totpHint")}
      foot={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("auth.backToSignIn")}
        </Button>
      }
    >
      <GateForm
        form={form}
        action={t("auth.verify")}
        after={
          <Button kind="quiet" size="small" onClick={swap}>
            {t(backup ? "auth.useTotp" : "auth.useBackup")}
          </Button>
        }
      >
        <Field label={t(backup ? "auth.backupCode" : "auth.totpCode")} error={form.errors.code}>
          <Input
            key={String(backup)}
            mono
            autoFocus
            inputMode={backup ? "text" : "numeric"}
            autoComplete="one-time-code"
            value={form.values.code}
            onValueChange={(value) => form.set("code", value)}
          />
        </Field>
        {!backup && (
          <Checkbox
            label={t("auth.trust")}
            checked={form.values.trust}
            onChange={(value) => form.set("trust", value)}
          />
        )}
      </GateForm>
    </Gate>
  );
}
