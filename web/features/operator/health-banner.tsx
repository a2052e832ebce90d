import { CircleAlert, TriangleAlert } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { Notice } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import type { ShownTrouble } from "./health.ts";
import { troubleTitle } from "./trouble-words.ts";

/** Says on every page what is wrong now. It stays at the foot of the window, so that nothing moves when it comes. */
export function HealthBanner({ troubles }: { readonly troubles: readonly ShownTrouble[] }) {
  const speech = useSpeech();
  const { t } = speech;
  const [worst, ...more] = troubles;
  if (!worst) return null;
  const isBad = worst.severity === "bad";
  return (
    <section
      aria-label={t("health.now")}
      className="sticky bottom-0 z-20 mx-auto w-full max-w-6xl px-4 pb-4 sm:px-8"
    >
      <div className="rounded-lg bg-surface shadow-low">
        <Notice
          tone={isBad ? "bad" : "warn"}
          icon={isBad ? <CircleAlert size={16} /> : <TriangleAlert size={16} />}
          action={
            <Link to="/operator" className={`${buttonClass("plain", "small")} shrink-0`}>
              {t("health.show")}
            </Link>
          }
        >
          <span className="font-medium break-words">{troubleTitle(speech, worst)}</span>
          {more.length > 0 && t("health.more", { count: more.length })}
        </Notice>
      </div>
    </section>
  );
}
