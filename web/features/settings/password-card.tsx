import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "./section.tsx";
import { useHasPassword } from "./ways.ts";

const PasswordDialog = lazyPart(() => import("./password-dialog.tsx"), "PasswordDialog");

export function PasswordCard() {
  const { t } = useSpeech();
  const [changing, setChanging] = useState(false);
  const hasPassword = useHasPassword();
  const action = hasPassword && (
    <Button onClick={() => setChanging(true)}>{t("settings.changePassword")}</Button>
  );
  return (
    <>
      <Section
        title={t("settings.password")}
        hint={t(hasPassword ? "settings.passwordHint" : "settings.noPassword")}
        action={action}
      />
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}
