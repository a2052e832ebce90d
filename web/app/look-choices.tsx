import { Languages, Moon, Sun } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { useTheme } from "../lib/theme.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { useLanguageChoice } from "../ui/toasts/language-choice.ts";

/** Language and theme, one click each, where there is no menu for them. */
export function LookChoices() {
  const { t, language } = useSpeech();
  const speak = useLanguageChoice();
  const { theme, setTheme } = useTheme();
  const dark =
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        lang={language === "en" ? "zh-CN" : "en"}
        onClick={() => speak(language === "en" ? "zh" : "en")}
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
