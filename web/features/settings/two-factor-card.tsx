import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRefresh } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { beginTotp, endTotp, newBackupCodes, type TotpSetUp } from "./calls.ts";
import { Section } from "./section.tsx";

const ProofDialog = lazyPart(() => import("./proof-dialog.tsx"), "ProofDialog");
const dialogs = () => import("./two-factor-dialogs.tsx");
const BackupDialog = lazyPart(dialogs, "BackupDialog");
const ScanDialog = lazyPart(dialogs, "ScanDialog");

/** Password, picture, code, backup codes: one dialog after another. */
type Step =
  | { readonly name: "begin" | "end" | "renew" }
  | { readonly name: "scan"; readonly setUp: TotpSetUp }
  | { readonly name: "backup"; readonly codes: readonly string[] };

export function TwoFactorCard() {
  const { t } = useSpeech();
  const { me } = useSession();
  const [step, setStep] = useState<Step>();
  const on = me.user.two_factor;
  const action = on ? (
    <>
      <Button onClick={() => setStep({ name: "renew" })}>{t("settings.backupNew")}</Button>
      <Button kind="danger" onClick={() => setStep({ name: "end" })}>
        {t("settings.twoFactorTurnOff")}
      </Button>
    </>
  ) : (
    <Button onClick={() => setStep({ name: "begin" })}>{t("settings.twoFactorTurnOn")}</Button>
  );
  const title = (
    <>
      {t("settings.twoFactor")}
      <Badge tone={on ? "good" : "neutral"}>{t(on ? "words.on" : "words.off")}</Badge>
    </>
  );
  return (
    <>
      <Section
        title={title}
        hint={t(on ? "settings.twoFactorOn" : "settings.twoFactorOff")}
        action={action}
      />
      {step && <StepDialog step={step} go={setStep} />}
    </>
  );
}

interface StepDialogProps {
  readonly step: Step;
  readonly go: (step: Step | undefined) => void;
}

function StepDialog({ step, go }: StepDialogProps) {
  const { t } = useSpeech();
  const refresh = useRefresh();
  const toast = useToast();
  const close = () => go(undefined);
  const readAgain = () => refresh(["/api/me"]);
  if (step.name === "backup") return <BackupDialog codes={step.codes} onClose={close} />;
  if (step.name === "scan") {
    const done = () => {
      go({ name: "backup", codes: step.setUp.backupCodes });
      toast.done(t("settings.twoFactorIsOn"));
      readAgain();
    };
    return <ScanDialog uri={step.setUp.totpURI} onDone={done} onClose={close} />;
  }
  const proofs = {
    begin: {
      title: t("settings.twoFactor"),
      hint: t("settings.twoFactorOff"),
      action: t("words.continue"),
      submit: async (password: string) => go({ name: "scan", setUp: await beginTotp(password) }),
    },
    renew: {
      title: t("settings.backupNew"),
      hint: t("settings.backupNewHint"),
      action: t("words.continue"),
      submit: async (password: string) =>
        go({ name: "backup", codes: await newBackupCodes(password) }),
    },
    end: {
      title: t("settings.twoFactorOffTitle"),
      hint: t("settings.twoFactorOffHint"),
      action: t("settings.twoFactorTurnOff"),
      danger: true,
      submit: async (password: string) => {
        await endTotp(password);
        readAgain();
        toast.done(t("settings.twoFactorIsOff"));
        close();
      },
    },
  };
  return <ProofDialog {...proofs[step.name]} onClose={close} />;
}
