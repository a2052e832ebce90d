import { LogOut, Settings } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { LANGUAGES } from "../i18n/messages.ts";
import { api } from "../lib/api.ts";
import { useSignOut } from "../lib/auth/use-sign-out.ts";
import { Link } from "../lib/link.tsx";
import { useSession } from "../lib/session.tsx";
import { THEMES, useTheme } from "../lib/theme.tsx";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import type { DemandedMenuProps } from "../ui/menu-on-demand.tsx";
import { useLanguageChoice } from "../ui/toasts/language-choice.ts";

const THEME_WORDS = {
  system: "nav.themeSystem",
  light: "nav.themeLight",
  dark: "nav.themeDark",
} as const;

export function AccountMenu({ trigger }: DemandedMenuProps) {
  const { t } = useSpeech();
  const { me, account, choose } = useSession();
  return (
    <Menu opens trigger={trigger} align="start" className="w-54">
      <MenuChoice
        label={t("nav.switchAccount")}
        value={account.id}
        choices={me.accounts.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={choose}
      />
    </Menu>
  );
}

export function UserMenu({ trigger }: DemandedMenuProps) {
  const { t } = useSpeech();
  const leave = useSignOut();
  return (
    <Menu opens trigger={trigger} align="start" side="top" className="w-54">
      <PreferenceChoices />
      <MenuSeparator />
      <MenuItem icon={<Settings size={15} />} render={<Link to="/settings" />}>
        {t("nav.settings")}
      </MenuItem>
      <MenuItem icon={<LogOut size={15} />} onSelect={() => void leave()}>
        {t("nav.signOut")}
      </MenuItem>
    </Menu>
  );
}

/** Theme and language, remembered here and with the user. */
function PreferenceChoices() {
  const { t, language } = useSpeech();
  const speak = useLanguageChoice();
  const { theme, setTheme } = useTheme();
  // What fails to reach the server is still remembered by this browser.
  const remember = (change: object) => void api.patch("/api/me", change).catch(() => undefined);
  return (
    <>
      <MenuChoice
        label={t("nav.theme")}
        value={theme}
        choices={THEMES.map((value) => ({ value, label: t(THEME_WORDS[value]) }))}
        onChange={(next) => {
          setTheme(next);
          remember({ theme: next });
        }}
      />
      <MenuChoice
        label={t("nav.language")}
        value={language}
        choices={LANGUAGES}
        onChange={(next) => speak(next, () => remember({ language: next }))}
      />
    </>
  );
}
