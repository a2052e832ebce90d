import { useNavigate, useParams } from "@tanstack/react-router";
import { KeyRound, Pencil, RefreshCw, Trash2 } from "lucide-react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { formatNumber } from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { Code } from "../../ui/code.tsx";
import { Money } from "../../ui/money.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { BudgetBound, BudgetMeter } from "./budget-meter.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { FormerSecrets } from "./former-secrets.tsx";
import { type KeyAction, KeyDialog } from "./key-actions.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { KeyLog } from "./key-log.tsx";
import { KeyState } from "./key-state.tsx";
import { useKeyUsage } from "./key-usage.ts";

const ACTIONS: readonly KeyAction[] = ["edit", "rotate", "delete"];

export function KeyPage() {
  const { t } = useSpeech();
  const { path } = useSession();
  const { key = "" } = useParams({ strict: false }) as { key?: string };
  const { data, error, refetch } = useResource<Key>(path(`/keys/${key}`));
  // What is there stays, whatever comes of asking again: a dialog of it may hold a secret that is shown this once.
  if (data) return <KeyDetails key={data.id} item={data} />;
  if (!error) return <PageSkeleton />;
  return (
    <NotShown
      error={error}
      retry={refetch}
      icon={<KeyRound size={28} />}
      missing={t("keys.notFound")}
      list="/keys"
      listName={t("keys.title")}
    />
  );
}

function KeyDetails({ item }: { readonly item: Key }) {
  const { t, rich } = useSpeech();
  const { may, place } = useSession();
  const navigate = useNavigate();
  // In the address, so that a receipt can lead to the budget that refused it.
  const { values, set } = useFilters(["dialog"]);
  const changeable = may("member") && item.deleted_at === null;
  const open = (dialog: KeyAction) => set({ dialog });
  const action = changeable ? ACTIONS.find((one) => one === values.dialog) : undefined;
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
          actions={changeable && <Actions item={item} onOpen={open} />}
        />
      </div>
      {item.deleted_at !== null && (
        <Notice>{rich("keys.deletedAt", { time: <Time at={item.deleted_at} /> })}</Notice>
      )}
      <FormerSecrets item={item} />
      <KeyStats item={item} />
      <Budgets item={item} />
      <KeyLog item={item} />
      <KeyFacts item={item} />
      <KeyDialog
        item={item}
        action={action}
        onClose={() => set({ dialog: undefined })}
        onDeleted={() => void navigate({ to: place("/keys") })}
      />
    </div>
  );
}

interface ActionsProps {
  readonly item: Key;
  readonly onOpen: (action: KeyAction) => void;
}

function Actions({ item, onOpen }: ActionsProps) {
  const { t } = useSpeech();
  return (
    <>
      <span className="flex items-center gap-2 px-1 text-sm">
        <EnabledSwitch item={item} />
        {t("keys.enabled")}
      </span>
      <Button kind="danger" onClick={() => onOpen("delete")}>
        <Trash2 size={15} />
        {t("keys.delete")}
      </Button>
      <Button onClick={() => onOpen("rotate")}>
        <RefreshCw size={15} />
        {t("keys.rotate")}
      </Button>
      <Button kind="primary" onClick={() => onOpen("edit")}>
        <Pencil size={15} />
        {t("keys.edit")}
      </Button>
    </>
  );
}

function Budgets({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  return (
    <Card title={t("keys.budgets")}>
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
