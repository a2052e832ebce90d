import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface NotLoadedProps {
  readonly error: unknown;
  readonly retry: () => unknown;
  /** It is all there is on the page. */
  readonly page?: boolean;
  /** What has failed, where it is not the loading. */
  readonly title?: string;
}

/** Stands where something could not be loaded, with the way to try again. */
export function NotLoaded({ error, retry, page = false, title }: NotLoadedProps) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  return (
    <EmptyState
      page={page}
      title={title ?? t("errors.notLoaded")}
      action={<Button onClick={() => void retry()}>{t("words.retry")}</Button>}
    >
      {wordsOf(error)}
    </EmptyState>
  );
}
