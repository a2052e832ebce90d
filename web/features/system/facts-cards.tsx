import type { ReactNode } from "react";
import type { SystemFacts } from "../../../src/console/operator/contract/system.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatBytes } from "./units.ts";

interface FactsProps {
  readonly facts: SystemFacts | undefined;
}

/** Names of engines are the same in every language. */
const ENGINES = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

type Line = readonly [label: string, value: ReactNode];

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {lines.map(([label, value]) => (
        <div key={label} className="flex min-h-6 items-center justify-between gap-4">
          <dt className="min-w-0 break-all text-muted">{label}</dt>
          <dd className="shrink-0 text-right tabular-nums">
            {value ?? <Skeleton className="h-4 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function ProcessCard({ facts }: FactsProps) {
  const { t, locale } = useSpeech();
  const mode = facts?.sandbox_only ? (
    <Badge tone="warn">{t("system.modeTest")}</Badge>
  ) : (
    <Badge tone="good">{t("system.modeLive")}</Badge>
  );
  const lines: readonly Line[] = [
    [t("system.mode"), facts && mode],
    [t("system.ended"), facts && formatNumber(facts.requests_ended, locale)],
    [t("system.memory"), facts && formatBytes(facts.memory.resident_bytes, locale)],
    [t("system.heap"), facts && formatBytes(facts.memory.heap_bytes, locale)],
    [t("system.revision"), facts && formatNumber(facts.revision, locale)],
  ];
  return (
    <Card title={t("system.process")}>
      <Lines lines={lines} />
    </Card>
  );
}

export function DatabaseCard({ facts }: FactsProps) {
  const { t, locale } = useSpeech();
  const parts = facts?.database.parts ?? [];
  const lines: readonly Line[] = [
    [t("system.engine"), facts && ENGINES[facts.database.engine]],
    [t("system.size"), facts && formatBytes(facts.database.bytes, locale)],
    ...parts.map(({ name, bytes }): Line => [name, formatBytes(bytes, locale)]),
  ];
  return (
    <Card title={t("system.database")}>
      <Lines lines={lines} />
    </Card>
  );
}
