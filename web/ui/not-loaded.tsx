import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface NotLoadedProps {
  readonly error: unknown;
  readonly retry: () => unknown;
}

/** Stands where something could not be loaded, with the way to try again. */
export function NotLoaded({ error, retry }: NotLoadedProps) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  return (
    <EmptyState
      title={t("errors.notLoaded")}
      action={<Button onClick={() => void retry()}>{t("words.retry")}</Button>}
    >
      {wordsOf(error)}
    </EmptyState>
  );
}
