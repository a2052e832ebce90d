import { Languages, Moon, Sun } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { BrandMark } from "../../app/sidebar.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import { useTheme } from "../../lib/theme.tsx";
import { Button, IconButton } from "../../ui/button.tsx";

interface GateProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Below the card. */
  readonly foot?: ReactNode;
  readonly children?: ReactNode;
}

/** The frame of every page in front of the console: one card in the middle. */
export function Gate({ title, hint, foot, children }: GateProps) {
  useEffect(() => {
    document.title = `${title} · Faregate`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex justify-end gap-1 p-3">
        <GateChoices />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center px-4 pb-24">
        <div className="mb-5 flex flex-col items-center gap-3 text-center">
          <BrandMark size={36} />
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {hint && <p className="text-sm text-muted">{hint}</p>}
        </div>
        {children && (
          <div className="rounded-xl border border-line bg-surface p-5 shadow-low">{children}</div>
        )}
        {foot && <div className="mt-4 text-center text-sm text-muted">{foot}</div>}
      </main>
    </div>
  );
}

function GateChoices() {
  const { t, language, setLanguage } = useSpeech();
  const { theme, setTheme } = useTheme();
  const dark =
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        lang={language === "en" ? "zh-CN" : "en"}
        onClick={() => setLanguage(language === "en" ? "zh" : "en")}
      >
        <Languages size={15} />
        {language === "en" ? "简体中文" : "English"}
      </Button>
      <IconButton
        label={t(dark ? "nav.themeLight" : "nav.themeDark")}
        className="size-7"
        onClick={() => setTheme(dark ? "light" : "dark")}
      >
        {dark ? <Sun size={15} /> : <Moon size={15} />}
      </IconButton>
    </>
  );
}
