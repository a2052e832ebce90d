import { useRouterState } from "@tanstack/react-router";
import { LogIn } from "lucide-react";
import { createPortal } from "react-dom";
import { useSpeech } from "../i18n/language.tsx";
import { Link } from "../lib/link.tsx";
import { useSignedOut } from "../lib/session.tsx";
import { buttonClass } from "../ui/button.tsx";

/** Says that the session has ended, with the way to sign in and come back to this page. */
export function SessionEnd() {
  const { t } = useSpeech();
  const here = useRouterState({ select: ({ location }) => location.href });
  if (!useSignedOut()) return null;
  return createPortal(
    <div
      role="alert"
      // By this a dialog knows not to hide it from readers.
      aria-live="assertive"
      className="fixed inset-x-2 top-2 z-60 mx-auto flex max-w-xl items-center justify-between gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-high"
    >
      <p>{t("errors.signedOut")}</p>
      <Link to="/sign-in" search={{ to: here }} className={buttonClass("primary", "small")}>
        <LogIn size={14} />
        {t("auth.signIn")}
      </Link>
    </div>,
    // Outside of the page, which is deaf and dumb while a dialog is open.
    document.body,
  );
}
