import { useEffect } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { isSignedOut, signInAgain } from "./sign-in-again.ts";

/** What could not be loaded. Whoever is signed out by now is led to the door. */
export function NotLoaded({ error }: { readonly error: unknown }) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  useEffect(() => {
    if (isSignedOut(error)) signInAgain();
  }, [error]);
  return (
    <main>
      <EmptyState
        page
        title={t("errors.notLoaded")}
        action={<Button onClick={() => location.reload()}>{t("words.retry")}</Button>}
      >
        {wordsOf(error)}
      </EmptyState>
    </main>
  );
}
