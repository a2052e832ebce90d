import { lazy, Suspense, useState } from "react";
import type { Overview } from "../../../src/console/contract/overview.ts";
import { useSpeech, withWords } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { loaded } from "../../lib/loaded.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useAllAccounts, useHealth } from "../operator/health.ts";
import { LastRequests } from "./last-requests.tsx";
import { Quickstart } from "./quickstart.tsx";
import { SpendChart } from "./spend-chart.tsx";
import { Standing } from "./standing.tsx";

/** For operators alone, with words that others do not load. */
const OperatorHome = lazy(async () => ({
  default: (
    await withWords(
      "operators",
      loaded(() => import("../operator/page.tsx")),
    )
  ).OperatorHome,
}));

/** Whoever waits for the first request wants to see it come. */
const DAY_ONE_REFRESH_MS = 3_000;
const REFRESH_MS = 30_000;

export function OverviewPage() {
  const { t } = useSpeech();
  const { path, may, account } = useSession();
  const tz = useTimeZone();
  const [dayOne, setDayOne] = useState(false);
  const { data, error, refetch } = useResource<Overview>(
    path("/overview"),
    { tz },
    { refetchMs: dayOne ? DAY_ONE_REFRESH_MS : REFRESH_MS },
  );
  const { isOperator, isKnown, hasOthers } = useInstallation();
  const nothingSent = data?.last_requests.length === 0;
  if (nothingSent !== dayOne) setDayOne(nothingSent);
  const topUp = may("owner") && (
    <Link
      to="/wallet"
      search={{ dialog: "topup" }}
      className={buttonClass(dayOne ? "plain" : "primary")}
    >
      {t("overview.topUp")}
    </Link>
  );
  return (
    <>
      <PageHeader
        title={t("overview.title")}
        description={t("overview.description")}
        actions={topUp}
      />
      {isOperator && !isKnown ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        // As a whole: what lies below the operator's part must not move when that comes.
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <div className="flex flex-col gap-5">
            {hasOthers && <OperatorHome ownAccount={account.name} />}
            {error && !data ? (
              <NotLoaded error={error} retry={refetch} />
            ) : (
              <>
                {!(hasOthers && dayOne) && <Standing overview={data} />}
                {!dayOne && <SpendChart overview={data} />}
                {!dayOne && <LastRequests requests={data?.last_requests} />}
                {data && <Quickstart dayOne={dayOne && !hasOthers} hasKey={data.first_key} />}
              </>
            )}
          </div>
        </Suspense>
      )}
    </>
  );
}

/**
 * Operators also see the whole installation, unless their own account is all that there is and nothing is wrong.
 */
function useInstallation() {
  const { me } = useSession();
  const { troubles } = useHealth();
  const { data, isPending } = useAllAccounts();
  return {
    isOperator: me.operator,
    isKnown: troubles !== undefined && !isPending,
    hasOthers: me.operator && ((troubles?.length ?? 0) > 0 || (data?.accounts ?? 0) > 1),
  };
}
