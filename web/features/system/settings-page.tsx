import { useSpeech } from "../../i18n/language.tsx";
import { useResource } from "../../lib/queries.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { InstallationCard, SETTINGS } from "./installation-card.tsx";
import { MailCard } from "./mail-card.tsx";
import { TokensCard } from "./tokens-card.tsx";

/** What operators set for everybody; how the machine does is on the page of the system. */
export function InstallationPage() {
  const { t } = useSpeech();
  // Cards of many heights below one another would each push the next when they come.
  const asked = [useResource(SETTINGS), useResource("/api/operator/system")];
  const waiting = asked.some(({ isPending }) => isPending);
  return (
    <>
      <PageHeader title={t("system.installation")} description={t("system.installationHint")} />
      {waiting ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <div className="flex flex-col gap-5">
          <InstallationCard />
          <MailCard />
          <TokensCard />
        </div>
      )}
    </>
  );
}
