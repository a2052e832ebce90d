import { useSpeech } from "../../i18n/language.tsx";
import type { Language } from "../../i18n/messages.ts";
import { useToast } from "./toast.tsx";

/** Changes to a language; `onShown` when its words have come, a message where they have not. */
export function useLanguageChoice(): (language: Language, onShown?: () => void) => void {
  const { setLanguage } = useSpeech();
  const toast = useToast();
  return (language, onShown) => void setLanguage(language).then(onShown, toast.failed);
}
