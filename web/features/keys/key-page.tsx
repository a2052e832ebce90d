import { useParams } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import type { Key } from "../../lib/contract.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { Code } from "../../ui/code.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { BudgetBound } from "./budget-bound.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { KeyLog } from "./key-log.tsx";
import { KeyState } from "./key-state.tsx";
import { useKeyUsage } from "./key-usage.ts";

const AccessDialog = lazyPart(async () => (await import("./access-dialog.tsx")).AccessDialog);
const BudgetsDialog = lazyPart(async () => (await import("./budgets-dialog.tsx")).BudgetsDialog);
const EditDialog = lazyPart(async () => (await import("./edit-dialog.tsx")).EditDialog);

const DIALOGS = ["edit", "budgets", "access"] as const;

export function KeyPage() {
  const { t } = useSpeech();
  const { path } = useSession();
  const { key = "" } = useParams({ strict: false }) as { key?: string };
  const { data, error } = useResource<Key>(path(`/keys/${key}`));
  if (error) {
    return (
      <EmptyState page icon={<KeyRound size={28} />} title={t("keys.notFound")}>
        <TextLink to="/keys">{t("keys.title")}</TextLink>
      </EmptyState>
    );
  }
  return data ? <KeyDetails item={data} /> : <PageSkeleton />;
}

function KeyDetails({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { may } = useSession();
  // A receipt's button leads to the very dialog that raises the limit.
  const { values, clear } = useFilters(["dialog"]);
  const wanted = DIALOGS.find((dialog) => dialog === values.dialog && may("member"));
  const [chosen, setOpen] = useState<(typeof DIALOGS)[number]>();
  const open = chosen ?? wanted;
  const close = () => {
    setOpen(undefined);
    if (wanted) clear();
  };
  const actions = (
    <>
      {may("member") && <Button onClick={() => setOpen("edit")}>{t("keys.edit")}</Button>}
      <span className="flex items-center gap-2 px-1 text-sm">
        <EnabledSwitch item={item} />
        {t("keys.enabled")}
      </span>
    </>
  );
  return (
    <div className="flex flex-col gap-5">
      <div className="-mb-5">
        <PageHeader
          back={<TextLink to="/keys">{t("keys.title")}</TextLink>}
          title={item.name}
          description={
            <span className="flex flex-wrap items-center gap-2">
              <Code>{item.id}</Code>
              <span className="font-mono text-[13px]">…{item.last_four}</span>
              <KeyState item={item} />
            </span>
          }
          actions={actions}
        />
      </div>
      <KeyStats item={item} />
      <Budgets item={item} onEdit={() => setOpen("budgets")} />
      <KeyLog item={item} />
      <KeyFacts item={item} onEdit={() => setOpen("access")} />
      {open === "edit" && <EditDialog item={item} onClose={close} />}
      {open === "budgets" && <BudgetsDialog item={item} onClose={close} />}
      {open === "access" && <AccessDialog item={item} onClose={close} />}
    </div>
  );
}

interface BudgetsProps {
  readonly item: Key;
  readonly onEdit: () => void;
}

function Budgets({ item, onEdit }: BudgetsProps) {
  const { t } = useSpeech();
  const { may } = useSession();
  const edit = may("member") && (
    <Button size="small" onClick={onEdit}>
      {t("keys.budgetsEdit")}
    </Button>
  );
  return (
    <Card title={t("keys.budgets")} action={edit}>
      {item.budgets.length === 0 ? (
        <p className="text-sm text-muted">{t("keys.noBudgetHint")}</p>
      ) : (
        <div className="grid gap-5 sm:grid-cols-2">
          {item.budgets.map((budget) => (
            <BudgetMeter key={budget.id} budget={budget} />
          ))}
          <p className="text-[13px] text-muted sm:col-span-2">
            <BudgetBound />
          </p>
        </div>
      )}
    </Card>
  );
}

function KeyStats({ item }: { readonly item: Key }) {
  const { t, locale } = useSpeech();
  const { data } = useKeyUsage(item.id);
  const total = data?.total;
  return (
    <StatRow>
      <Stat label={t("keys.spent30")} value={total && <Money amount={total.cost} />} />
      <Stat label={t("keys.requests30")} value={total && formatNumber(total.requests, locale)} />
      <Stat label={t("keys.failures30")} value={total && formatNumber(total.failures, locale)} />
      <Stat
        label={t("keys.lastUsed")}
        value={item.last_used_at ? <Time at={item.last_used_at} /> : t("words.never")}
      />
    </StatRow>
  );
}
