import { useSpeech } from "../../i18n/language.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { InstallationCard } from "./installation-card.tsx";
import { MailCard } from "./mail-card.tsx";
import { TokensCard } from "./tokens-card.tsx";

/** What operators set for everybody; how the machine does is on the page of the system. */
export function InstallationPage() {
  const { t } = useSpeech();
  return (
    <>
      <PageHeader title={t("system.installation")} description={t("system.installationHint")} />
      <div className="flex flex-col gap-5">
        <InstallationCard />
        <MailCard />
        <TokensCard />
      </div>
    </>
  );
}
