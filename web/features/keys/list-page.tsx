import { KeyRound, Plus } from "lucide-react";
import { useMemo } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import type { Key } from "../../lib/contract.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { type Column, DataTable } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { TightestBudget } from "./budget-meter.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { KeyState } from "./key-state.tsx";

const CreateDialog = lazyPart(async () => (await import("./create-dialog.tsx")).CreateDialog);

function useColumns(): readonly Column<Key>[] {
  const { t } = useSpeech();
  return useMemo(
    () => [
      { id: "name", header: t("keys.name"), cell: (key) => <KeyName item={key} /> },
      { id: "budget", header: t("keys.budget"), cell: (key) => <TightestBudget item={key} /> },
      {
        id: "limits",
        header: t("keys.limits"),
        wide: true,
        cell: (key) => <LimitWords item={key} />,
      },
      {
        id: "spent",
        header: t("keys.spent"),
        align: "right",
        wide: true,
        cell: (key) => <Money amount={key.used_total} />,
      },
      {
        id: "used",
        header: t("keys.lastUsed"),
        wide: true,
        cell: (key) =>
          key.last_used_at ? (
            <Time at={key.last_used_at} />
          ) : (
            <span className="text-muted">{t("keys.neverUsed")}</span>
          ),
      },
      { id: "enabled", header: t("keys.enabled"), cell: (key) => <EnabledSwitch item={key} /> },
    ],
    [t],
  );
}

/** What a row has room for; the page of the key has them all. */
function LimitWords({ item }: { readonly item: Key }) {
  const { t, locale } = useSpeech();
  const { rpm, tpm, concurrency, models } = item;
  const words = [
    rpm !== null && t("keys.limitRpm", { count: formatNumber(rpm, locale) }),
    tpm !== null && t("keys.limitTpm", { count: formatNumber(tpm, locale) }),
    concurrency !== null && t("keys.limitAtOnce", { count: formatNumber(concurrency, locale) }),
    models !== null && t("keys.limitModels", { count: models.length }),
  ].filter((one) => one !== false);
  if (words.length === 0) return <span className="text-muted">{t("words.none")}</span>;
  return (
    <ul className="text-[13px]">
      {words.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
}

function KeyName({ item }: { readonly item: Key }) {
  return (
    <div className="sm:min-w-40">
      <Link to={`/keys/${item.id}`} className="font-medium hover:underline">
        {item.name}
      </Link>
      <p className="flex items-center gap-2 font-mono text-xs text-muted">
        …{item.last_four}
        <KeyState item={item} />
      </p>
    </div>
  );
}

export function KeysPage() {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const rows = useRows<Key>(path("/keys"));
  const columns = useColumns();
  // In the address, so that other pages and the palette can open the dialog by a link.
  const { values, set } = useFilters(["new"]);
  const create = may("member") && (
    <Button kind="primary" onClick={() => set({ new: "1" })}>
      <Plus size={16} />
      {t("keys.create")}
    </Button>
  );
  const empty = (
    <EmptyState icon={<KeyRound size={28} />} title={t("keys.emptyTitle")} action={create}>
      {t("keys.emptyHint")}
    </EmptyState>
  );
  return (
    <>
      <PageHeader title={t("keys.title")} description={t("keys.description")} actions={create} />
      <Card flush>
        <DataTable
          label={t("keys.tableLabel")}
          columns={columns}
          rows={rows}
          rowId={(key) => key.id}
          empty={empty}
        />
      </Card>
      {values.new === "1" && may("member") && (
        <CreateDialog onClose={() => set({ new: undefined })} />
      )}
    </>
  );
}
