import { Compass } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { Link } from "../lib/link.tsx";
import { isMissingCode, isServerThere } from "../lib/loaded.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";

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

interface PageErrorProps {
  readonly error: unknown;
  readonly reset: () => void;
}

/** What a page is made of is not asked for again by a page that has missed it; without a server it stays as it is. */
async function loadAnew(): Promise<void> {
  if (await isServerThere()) location.reload();
}

export function PageError({ error, reset }: PageErrorProps) {
  const { t } = useSpeech();
  const retry = isMissingCode(error) ? loadAnew : reset;
  return <NotLoaded page title={t("errors.pageBroke")} error={error} retry={retry} />;
}
