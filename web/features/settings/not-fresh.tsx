import { useSpeech } from "../../i18n/language.tsx";
import { ApiError } from "../../lib/api.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { NOT_FRESH } from "./calls.ts";

export function isNotFresh(error: unknown): boolean {
  return error instanceof ApiError && error.code === NOT_FRESH;
}

/** What is delicate wants a sign-in of the last day. */
export function NotFreshNotice() {
  const { t } = useSpeech();
  const leave = useSignOut();
  return (
    <Notice
      tone="warn"
      action={
        <Button size="small" onClick={() => void leave()}>
          {t("settings.signInAgain")}
        </Button>
      }
    >
      {t("settings.notFresh")}
    </Notice>
  );
}
