import { useRouterState } from "@tanstack/react-router";
import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { Link } from "../lib/link.tsx";
import { endsByItself, type FaultKind, faultKind, useServerBack } from "../lib/recovery.ts";
import { Button, buttonClass } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface NotLoadedProps {
  readonly error: unknown;
  readonly retry: () => unknown;
  /** It is all there is on the page. */
  readonly page?: boolean;
  /** The title of an error that has no better one. */
  readonly title?: string;
}

const TITLES = {
  storage: "errors.storageTitle",
  busy: "errors.busyTitle",
  signedOut: "errors.signedOutTitle",
  notAllowed: "errors.notAllowedTitle",
} as const;

function useTitle(kind: FaultKind, other: string): string {
  const { t } = useSpeech();
  if (kind === "other") return other;
  if (kind !== "offline") return t(TITLES[kind]);
  return t(navigator.onLine ? "errors.noServerTitle" : "errors.offlineTitle");
}

/** Stands where something could not be loaded. Says why, and loads it when the server is back. */
export function NotLoaded({ error, retry, page = false, title }: NotLoadedProps) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const kind = faultKind(error);
  const heading = useTitle(kind, title ?? t("errors.notLoaded"));
  const comesBack = endsByItself(error);
  useServerBack(comesBack, retry);
  return (
    <EmptyState page={page} title={heading} action={<WayOn kind={kind} retry={retry} />}>
      {wordsOf(error)}
      {comesBack && ` ${t("errors.comesBack")}`}
    </EmptyState>
  );
}

function WayOn({ kind, retry }: { readonly kind: FaultKind; readonly retry: () => unknown }) {
  const { t } = useSpeech();
  const here = useRouterState({ select: ({ location }) => location.href });
  if (kind === "signedOut") {
    return (
      <Link to="/sign-in" search={{ to: here }} className={buttonClass("primary")}>
        {t("auth.signIn")}
      </Link>
    );
  }
  if (kind === "notAllowed") {
    return (
      <Link to="/" className={buttonClass("plain")}>
        {t("errors.goHome")}
      </Link>
    );
  }
  return <Button onClick={() => void retry()}>{t("words.retry")}</Button>;
}
