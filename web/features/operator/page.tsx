import { useSpeech } from "../../i18n/language.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AllAccounts } from "./all-accounts.tsx";
import { useAllAccounts, useHealth } from "./health.ts";
import { TroubleCard } from "./trouble-list.tsx";

/** What is wrong now, and what all accounts do. */
export function OperatorPage() {
  const { t } = useSpeech();
  return (
    <>
      <PageHeader title={t("nav.operatorHome")} description={t("health.description")} />
      <OperatorHome />
    </>
  );
}

/** With the name of the operator's own account, where that follows below. */
export function OperatorHome({ ownAccount }: { readonly ownAccount?: string }) {
  const { t } = useSpeech();
  const { troubles, refetch } = useHealth();
  const { data, error, refetch: again } = useAllAccounts();
  // Nothing below the troubles moves when they come.
  if (!troubles) return <Skeleton className="h-64 w-full" />;
  return (
    <div className="flex flex-col gap-5">
      <TroubleCard troubles={troubles} retry={refetch} />
      {ownAccount && <Heading>{t("health.allAccounts")}</Heading>}
      {error && !data ? <NotLoaded error={error} retry={again} /> : <AllAccounts overview={data} />}
      {ownAccount && <Heading>{t("health.ownAccount", { name: ownAccount })}</Heading>}
    </div>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <h2 className="-mb-2 text-sm font-semibold break-words">{children}</h2>;
}
