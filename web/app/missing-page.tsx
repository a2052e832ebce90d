import { useRouter } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { Link } from "../lib/link.tsx";
import { isMissingCode, reloadDocument } from "../lib/loaded.ts";
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

export function PageError({ error }: { readonly error: unknown }) {
  const { t } = useSpeech();
  const router = useRouter();
  // The session is a part of the page: the router asks for it again, which `reset` does not do.
  const retry = isMissingCode(error) ? reloadDocument : () => router.invalidate();
  return <NotLoaded page title={t("errors.pageBroke")} error={error} retry={retry} />;
}
