import type { ArticleTheme } from "../../../../src/drafts/contract/draft.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useRows } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

interface ThemeSwitchProps {
  readonly value: string | undefined;
  readonly onChange: (theme: string) => void;
}

/** Every theme with a stroke of its colours; the first is what articles have unless told. */
export function ThemeSwitch({ value, onChange }: ThemeSwitchProps) {
  const { t, language } = useSpeech();
  const { path } = useSession();
  const themes = useRows<ArticleTheme>(path("/drafts/themes")).data;
  if (!themes) return <Skeleton className="h-15 w-full rounded-lg" />;
  const chosen = themes.find(({ id }) => id === value) ?? themes[0];
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t("drafts.theme")}</legend>
      <div className="grid grid-cols-5 gap-1.5">
        {themes.map((theme) => (
          <label
            key={theme.id}
            title={theme.about[language]}
            className={
              "flex min-w-0 cursor-pointer flex-col items-center gap-1 rounded-lg border border-line bg-surface p-1 sm:p-1.5 " +
              "hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft " +
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            }
          >
            <input
              type="radio"
              name="article-theme"
              value={theme.id}
              checked={theme === chosen}
              onChange={() => onChange(theme.id)}
              className="sr-only"
            />
            <Swatch colours={theme.colours} />
            <span className="max-w-full truncate text-[11px] tracking-tight sm:text-xs sm:tracking-normal">
              {theme.name[language]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A heading and two lines of text, as small as they can be told. */
function Swatch({ colours }: Pick<ArticleTheme, "colours">) {
  const { ink, paper, accent } = colours;
  return (
    <svg viewBox="0 0 48 26" aria-hidden="true" className="w-full rounded border border-line">
      <rect width="48" height="26" fill={paper} />
      <rect x="6" y="5" width="3" height="6" rx="1" fill={accent} />
      <rect x="11" y="6" width="20" height="4" rx="1" fill={ink} />
      <rect x="6" y="14" width="36" height="2" rx="1" fill={ink} opacity="0.35" />
      <rect x="6" y="18" width="28" height="2" rx="1" fill={ink} opacity="0.35" />
    </svg>
  );
}
