import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { OpenInvitation } from "../../../src/accounts/contract/invitations.ts";
import type { Member } from "../../../src/accounts/contract/members.ts";
import type { Overview } from "../../../src/console/contract/overview.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { formatNumber } from "../../lib/format.ts";
import { Link } from "../../lib/link.tsx";
import { useResource, useRows } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { LastRequests } from "../overview/last-requests.tsx";
import { SpendChart } from "../overview/spend-chart.tsx";
import { Standing } from "../overview/standing.tsx";
import { useAccountInView } from "./account-in-view.ts";

const REFRESH_MS = 30_000;

/** How the account stands: what its own people see, and what is still missing for them to begin. */
export function OverviewPart() {
  const { t } = useSpeech();
  const { path } = useSession();
  const tz = useTimeZone();
  const { data, error, refetch } = useResource<Overview>(
    path("/overview"),
    { tz },
    { refetchMs: REFRESH_MS },
  );
  const quiet = data?.last_requests.length === 0;
  const people = usePeople();
  // What a new account lacks stands above the rest, and must not push it when it is known.
  const ready = data !== undefined && people.known;
  if (error && !data) return <NotLoaded error={error} retry={refetch} />;
  return (
    <>
      <PageHeader title={t("nav.overview")} />
      <div className="flex flex-col gap-5">
        <Standing overview={data} />
        {ready ? (
          <>
            {quiet && <NextSteps alone={people.members + people.invited === 0} />}
            {!quiet && <SpendChart overview={data} />}
            {!quiet && <LastRequests requests={data.last_requests} />}
            <Facts members={people.members} />
          </>
        ) : (
          <Skeleton className="h-96 w-full" />
        )}
      </div>
    </>
  );
}

/** Who belongs to the account, and who is asked to. */
function usePeople() {
  const { path } = useSession();
  const members = useRows<Member>(path("/members"));
  const invitations = useRows<OpenInvitation>(path("/invitations"));
  return {
    members: members.data?.length ?? 0,
    invited: invitations.data?.length ?? 0,
    known: [members, invitations].every((rows) => rows.data ?? rows.error),
  };
}

interface Step {
  readonly id: string;
  readonly words: string;
  readonly action: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** What a new account lacks before anybody can use it; nothing, once it has it all. */
function NextSteps({ alone }: { readonly alone: boolean }) {
  const { t } = useSpeech();
  const account = useAccountInView();
  const unpaid = compareDecimals(account.credited, "0") <= 0;
  const steps: readonly (Step | false)[] = [
    alone && {
      id: "people",
      words: t("operatorAccounts.stepPeople"),
      action: t("team.invite"),
      to: "/team",
      search: { invite: "1" },
    },
    unpaid && {
      id: "credit",
      words: t("operatorAccounts.stepCredit"),
      action: t("operatorAccounts.credit"),
      to: "/wallet",
      search: { dialog: "credit" },
    },
    account.keys === 0 && {
      id: "key",
      words: t("operatorAccounts.stepKey"),
      action: t("keys.create"),
      to: "/keys",
      search: { new: "1" },
    },
  ];
  const open = steps.filter((step) => step !== false);
  if (open.length === 0) return null;
  return (
    <Card title={t("operatorAccounts.steps")}>
      <ul className="flex flex-col gap-3 text-sm">
        {open.map(({ id, words, action, to, search }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="min-w-0 flex-1 basis-56">{words}</span>
            <Link to={to} search={search} className={buttonClass("plain", "small")}>
              {action}
              <ArrowRight size={14} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Facts({ members }: { readonly members: number }) {
  const { t, locale } = useSpeech();
  const account = useAccountInView();
  const lines: readonly (readonly [string, ReactNode])[] = [
    [t("operatorAccounts.since"), <Time key="since" at={account.created_at} as="date" />],
    [t("operatorAccounts.creditedAll"), <Money key="credited" amount={account.credited} />],
    [t("operatorAccounts.chargedAll"), <Money key="charged" amount={account.charged} />],
    [t("operatorAccounts.keys"), formatNumber(account.keys, locale)],
    [t("operatorAccounts.people"), formatNumber(members, locale)],
    [t("operatorAccounts.overdraft"), <Money key="overdraft" amount={account.overdraft} />],
    [t("operatorAccounts.hard"), t(account.hard ? "words.yes" : "words.no")],
  ];
  return (
    <Card title={t("operatorAccounts.facts")}>
      <dl className="grid gap-x-10 gap-y-2 text-sm sm:grid-cols-2">
        {lines.map(([label, value]) => (
          <div key={label} className="flex min-h-6 items-center justify-between gap-4">
            <dt className="min-w-0 text-muted">{label}</dt>
            <dd className="shrink-0 text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
