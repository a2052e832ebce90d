import { Activity, TriangleAlert } from "lucide-react";
import type { SystemFacts } from "../../../src/console/operator/contract/system.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { useResource } from "../../lib/queries.ts";
import { Notice } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Stat, StatRow } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Time } from "../../ui/time.tsx";
import { ChannelsCard } from "./channels-card.tsx";
import { DatabaseCard, ProcessCard } from "./facts-cards.tsx";
import { formatUptime } from "./units.ts";

const REFETCH_MS = 10_000;

export function SystemPage() {
  const { t } = useSpeech();
  const system = useResource<SystemFacts>("/api/operator/system", {}, { refetchMs: REFETCH_MS });
  const facts = system.data;
  const metrics = (
    <a
      className={buttonClass()}
      href={facts?.metrics_url ?? "/metrics"}
      target="_blank"
      rel="noreferrer"
    >
      <Activity size={15} />
      {t("system.metrics")}
    </a>
  );
  return (
    <>
      <PageHeader
        title={t("system.title")}
        description={t("system.description")}
        actions={metrics}
      />
      <div className="flex flex-col gap-5">
        {facts && <Problems problems={facts.problems} />}
        <Numbers facts={facts} />
        <div className="grid gap-5 lg:grid-cols-2">
          <ProcessCard facts={facts} />
          <DatabaseCard facts={facts} />
        </div>
        <ChannelsCard query={{ ...system, data: facts?.channels }} />
      </div>
    </>
  );
}

function Numbers({ facts }: { readonly facts: SystemFacts | undefined }) {
  const { t, locale, rich } = useSpeech();
  return (
    <StatRow>
      <Stat label={t("system.version")} value={facts?.version} hint={facts?.runtime} />
      <Stat
        label={t("system.uptime")}
        value={facts && formatUptime(facts.uptime_seconds, locale)}
        hint={
          facts && rich("system.since", { time: <Time key="at" at={facts.started_at} as="date" /> })
        }
      />
      <Stat
        label={t("system.queue")}
        value={facts && formatNumber(facts.storage_queue, locale)}
        hint={t("system.queueHint")}
      />
      <Stat
        label={t("system.holding")}
        value={facts && formatNumber(facts.requests_holding, locale)}
        hint={facts && t("system.waiting", { count: facts.requests_waiting })}
      />
      <Stat
        label={t("system.holds")}
        value={facts && formatNumber(facts.open_holds, locale)}
        hint={t("system.holdsHint")}
      />
    </StatRow>
  );
}

function Problems({ problems }: Pick<SystemFacts, "problems">) {
  const { t } = useSpeech();
  if (problems.length === 0) return null;
  return (
    <Notice tone="bad" icon={<TriangleAlert size={16} />}>
      <p className="font-medium">{t("system.problems", { count: problems.length })}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {problems.map(({ subject, message }) => (
          <li key={subject} className="break-words">
            <code className="font-mono text-[13px]">{subject}</code> · {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
