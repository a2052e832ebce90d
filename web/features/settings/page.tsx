import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { DisplayCard, ProfileCard } from "./preferences.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";

export function SettingsPage() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["tab"]);
  const preferences = (
    <div className="flex flex-col gap-5">
      <ProfileCard />
      <DisplayCard />
    </div>
  );
  const security = (
    <div className="flex flex-col gap-5">
      <PasswordCard />
      <TwoFactorCard />
      <PasskeysCard />
      <SessionsCard />
    </div>
  );
  return (
    <div className="max-w-3xl">
      <PageHeader title={t("settings.title")} description={t("settings.description")} />
      <Tabs
        label={t("settings.sections")}
        value={values.tab === "security" ? "security" : "preferences"}
        onChange={(tab) => set({ tab: tab === "security" ? tab : undefined })}
        tabs={[
          { value: "preferences", label: t("settings.preferences"), content: preferences },
          { value: "security", label: t("settings.security"), content: security },
        ]}
      />
    </div>
  );
}
