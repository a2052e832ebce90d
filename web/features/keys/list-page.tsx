import { KeyRound, Plus } from "lucide-react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useAddressSort } from "../../lib/address-sort.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { writeSort } from "../../lib/sorting.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { column, moneyColumn, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { Name } from "../../ui/tables/name.tsx";
import { NoRows } from "../../ui/tables/no-rows.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { SearchField } from "../../ui/tables/search-field.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { TightestBudget } from "./budget-meter.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { KeyRowActions } from "./key-actions.tsx";
import { KeyState } from "./key-state.tsx";

const CreateDialog = lazyPart(() => import("./dialogs/create-dialog.tsx"), "CreateDialog");

/** Ids of columns are those by which the API sorts. */
function columnsOf({ t }: Speech, mayChange: boolean): readonly Column<Key>[] {
  const columns: readonly Column<Key>[] = [
    column("name", t("keys.name"), (key) => <KeyName item={key} />, { sort: ({ name }) => name }),
    column("budget", t("keys.budget"), (key) => <TightestBudget item={key} />, { sort: () => 0 }),
    column("limits", t("keys.limits"), (key) => <LimitWords item={key} />, { wide: true }),
    moneyColumn("spent", t("keys.spent"), (row) => row.used_total, { wide: true }),
    timeColumn("last_used", t("keys.lastUsed"), (row) => row.last_used_at, {
      wide: true,
      none: t("keys.neverUsed"),
    }),
    column("enabled", t("keys.enabled"), (key) => <EnabledSwitch item={key} />, {
      sort: ({ enabled }) => Number(enabled),
    }),
    column("actions", t("words.actions"), (key) => <KeyRowActions item={key} />, {
      align: "right",
      wide: true,
    }),
  ];
  return mayChange ? columns : columns.slice(0, -1);
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
      <Link {...OPENS} to={`/keys/${item.id}`} className="font-medium hover:underline">
        <Name text={item.name} />
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
  const mayChange = may("member");
  const columns = useColumns(columnsOf, mayChange);
  const sorting = useAddressSort();
  const search = useFilters(["q"]);
  const { q } = search.values;
  const known = columns.some(({ id, sort }) => sort && id === sorting.sort?.by);
  const sort = known ? writeSort(sorting.sort) : undefined;
  const rows = useRows<Key>(path("/keys"), { q, sort });
  // In the address, so that other pages and the palette can open the dialog by a link.
  const { values, set } = useFilters(["new"]);
  const create = mayChange && (
    <Button kind="primary" onClick={() => set({ new: "1" })}>
      <Plus size={16} />
      {t("keys.create")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("keys.title")} description={t("keys.description")} actions={create} />
      <search className="mb-4 flex items-center gap-2">
        <span className="w-full sm:w-72">
          <SearchField
            label={t("keys.search")}
            value={q}
            onChange={(text) => search.set({ q: text })}
          />
        </span>
      </search>
      <Card flush>
        <DataTable
          sorted
          label={t("keys.tableLabel")}
          columns={columns}
          rows={rows}
          sorting={sorting}
          empty={
            <NoRows
              of="keys"
              icon={<KeyRound size={28} />}
              filtered={search.active}
              onClear={search.clear}
              action={create}
            />
          }
        />
      </Card>
      {values.new === "1" && mayChange && <CreateDialog onClose={() => set({ new: undefined })} />}
    </>
  );
}
