import { useSpeech } from "../../i18n/language.tsx";
import type { deviceOf } from "./device.ts";

/** "Chrome on macOS", or as much of it as is known. */
export function useDeviceWords(): (device: ReturnType<typeof deviceOf>) => string {
  const { t } = useSpeech();
  return ({ browser, system }) => {
    if (browser && system) return t("settings.deviceOn", { browser, system });
    return browser ?? system ?? t("settings.deviceUnknown");
  };
}
