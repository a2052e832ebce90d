import { Compass } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { Link } from "../lib/link.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

export function MissingPage() {
  const { t } = useSpeech();
  return (
    <main className="flex min-h-[70dvh] items-center justify-center">
      <EmptyState
        icon={<Compass size={28} />}
        page
        title={t("errors.pageMissing")}
        action={
          <Link to="/" className={buttonClass("plain")}>
            {t("errors.goHome")}
          </Link>
        }
      >
        {t("errors.pageMissingHint")}
      </EmptyState>
    </main>
  );
}

export function PageError({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  return (
    <EmptyState
      page
      title={t("errors.pageBroke")}
      action={<Button onClick={reset}>{t("words.retry")}</Button>}
    >
      {wordsOf(error)}
    </EmptyState>
  );
}
