import { useEffect } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { useSession } from "../lib/session.tsx";
import { readSetting } from "../lib/settings.ts";
import { useTheme } from "../lib/theme.tsx";

/** A new browser takes over what the user chose in another one; its own choices stay. */
export function Preferences() {
  const { me } = useSession();
  const { language, setLanguage } = useSpeech();
  const { setTheme } = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the user is known.
  useEffect(() => {
    const { user } = me;
    if (user.language && user.language !== language && !readSetting("language")) {
      // Without its words the page stays as it is: nobody has asked for it here.
      setLanguage(user.language).catch(() => undefined);
    }
    if (user.theme && !readSetting("theme")) setTheme(user.theme);
  }, [me.user.id]);
  return null;
}
