import { Boxes } from "lucide-react";
import { useMemo } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useAddressSort } from "../../lib/address-sort.ts";
import { useFilters } from "../../lib/filters.ts";
import { formatCompact, formatDay } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { moneyValue } from "../../lib/sorting.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Input } from "../../ui/field.tsx";
import { Money } from "../../ui/money.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Select } from "../../ui/select.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { column, numberColumn, useColumns } from "../../ui/tables/columns.tsx";
import { NoRows } from "../../ui/tables/no-rows.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { filterModels, vendorsOf } from "./model-list.ts";

const ModelDrawer = lazyPart(() => import("./model-drawer.tsx"), "ModelDrawer");

const CAPABILITIES: Model["capabilities"] = [
  "tools",
  "vision",
  "reasoning",
  "json_schema",
  "web_search",
  "stream",
  "files",
];
const NO_MODELS: readonly Model[] = [];
/** What every model can do tells nothing apart in a narrow cell. */
const SHOWN = ["tools", "vision", "reasoning", "web_search"] as const;

export function ModelsPage() {
  const { t } = useSpeech();
  const { me, path } = useSession();
  const all = useRows<Model>(path("/models"));
  const filters = useFilters(["q", "vendor", "capability"]);
  const opened = useFilters(["model"]);
  const columns = useColumns(columnsOf);
  const sorting = useAddressSort();
  const models = all.data ?? NO_MODELS;
  const { q, vendor, capability } = filters.values;
  const shown = useMemo(
    () => filterModels(models, { q, vendor, capability }),
    [models, q, vendor, capability],
  );
  const rows = { ...all, data: all.data && shown };
  const chosen = models.find(({ id }) => id === opened.values.model);
  const addChannel = me.operator && (
    <Link to="/operator/channels" search={{ new: "1" }} className={buttonClass("primary")}>
      {t("models.addChannel")}
    </Link>
  );
  return (
    <>
      <PageHeader title={t("models.title")} description={t("models.description")} />
      <div className="flex flex-col gap-4">
        <Filters models={models} filters={filters} />
        <Card flush>
          <DataTable
            label={t("models.tableLabel")}
            columns={columns}
            rows={rows}
            empty={
              <NoRows
                of="models"
                icon={<Boxes size={28} />}
                filtered={filters.active}
                onClear={filters.clear}
                action={addChannel}
              />
            }
            onOpen={({ id }) => opened.open({ model: id })}
            sorting={sorting}
            skeletonRows={10}
          />
        </Card>
      </div>
      {chosen && <ModelDrawer model={chosen} onClose={() => opened.close("model")} />}
    </>
  );
}

function columnsOf({ t, locale }: Speech): readonly Column<Model>[] {
  return [
    column("model", t("models.model"), (model) => <ModelName model={model} />, {
      sort: ({ display_name }) => display_name,
    }),
    {
      id: "input",
      header: t("models.input"),
      align: "right",
      sort: ({ free, price }) => moneyValue(free ? "0" : price?.input),
      cell: ({ free, price }) =>
        free ? t("models.free") : price ? <Money exact amount={price.input} /> : "–",
    },
    {
      id: "output",
      header: t("models.output"),
      align: "right",
      sort: ({ free, price, max_output }) =>
        moneyValue(max_output === 0 ? undefined : free ? "0" : price?.output),
      cell: ({ free, price, max_output }) =>
        max_output === 0 || !price ? (
          "–"
        ) : free ? (
          t("models.free")
        ) : (
          <Money exact amount={price.output} />
        ),
    },
    numberColumn("context", t("models.context"), ({ context }) => context, locale, {
      wide: true,
      cell: ({ context }) => formatCompact(context, locale),
    }),
    {
      id: "capabilities",
      header: t("models.capabilities"),
      wide: true,
      cell: ({ capabilities }) => (
        <span className="flex flex-wrap gap-1">
          {SHOWN.filter((name) => capabilities.includes(name)).map((name) => (
            <Badge key={name}>{t(`models.cap_${name}`)}</Badge>
          ))}
        </span>
      ),
    },
  ];
}

function ModelName({ model }: { readonly model: Model }) {
  const { t, locale } = useSpeech();
  return (
    <span className="block min-w-0">
      <span className="block font-medium">{model.display_name}</span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-xs break-all text-muted">{model.id}</span>
        {model.deprecates_on && (
          <Badge tone="warn">
            {t("models.ends", { day: formatDay(model.deprecates_on, locale) })}
          </Badge>
        )}
      </span>
    </span>
  );
}

interface FiltersProps {
  readonly models: readonly Model[];
  readonly filters: ReturnType<typeof useFilters<"q" | "vendor" | "capability">>;
}

function Filters({ models, filters }: FiltersProps) {
  const { t } = useSpeech();
  const { values, set, active, clear } = filters;
  const vendors = vendorsOf(models).map((value) => ({ value, label: value }));
  const capabilities = CAPABILITIES.map((value) => ({ value, label: t(`models.cap_${value}`) }));
  return (
    <search className="flex flex-wrap items-center gap-2">
      <span className="flex w-full gap-1 sm:w-72">
        <Input
          {...SEARCH_TARGET}
          type="search"
          aria-label={t("models.search")}
          placeholder={t("models.search")}
          value={values.q ?? ""}
          onValueChange={(q) => set({ q: q || undefined })}
        />
        <ClearFilters active={active} onClear={clear} />
      </span>
      <Select
        label={t("models.vendor")}
        value={values.vendor ?? ""}
        choices={[{ value: "", label: t("models.allVendors") }, ...vendors]}
        onChange={(vendor) => set({ vendor: vendor || undefined })}
        className="w-auto min-w-36"
      />
      <Select
        label={t("models.capability")}
        value={values.capability ?? ""}
        choices={[{ value: "", label: t("models.allCapabilities") }, ...capabilities]}
        onChange={(capability) => set({ capability: capability || undefined })}
        className="w-auto min-w-36"
      />
    </search>
  );
}
