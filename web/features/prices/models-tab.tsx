import { Plus, Tags } from "lucide-react";
import { useMemo } from "react";
import type { OperatorModel, Rate } from "../../../src/console/operator/contract/models.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { moneyValue } from "../../lib/sorting.ts";
import { useNow } from "../../lib/time/now.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/field.tsx";
import { Money } from "../../ui/money.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { priceInForce } from "./price-form.ts";
import { MODELS_PATH } from "./rates.ts";

const AddDialog = lazyPart(() => import("./add-dialog.tsx"), "AddDialog");
const ModelDrawer = lazyPart(() => import("./model-drawer.tsx"), "ModelDrawer");

function Marks({ model }: { readonly model: OperatorModel }) {
  const { t } = useSpeech();
  return (
    <>
      {model.problem && <Badge tone="bad">{t("prices.problem")}</Badge>}
      {model.prices.some(({ pending }) => pending) && (
        <Badge tone="accent">{t("prices.pending")}</Badge>
      )}
      {model.prices.some(({ id, pending }) => id !== null && !pending) && (
        <Badge>{t("prices.ownPrice")}</Badge>
      )}
      {model.channels.length === 0 && <Badge tone="warn">{t("prices.notServed")}</Badge>}
    </>
  );
}

function RateCell({ model, name }: { readonly model: OperatorModel; readonly name: Rate }) {
  const { t } = useSpeech();
  const nowMs = useNow();
  if (model.free) return name === "input" ? <Badge>{t("prices.free")}</Badge> : null;
  const amount = priceInForce(model, nowMs)?.[name];
  return amount === undefined ? null : <Money exact amount={amount} />;
}

function columnsOf({ t }: Speech, nowMs: number): readonly Column<OperatorModel>[] {
  const rate = (name: Rate, wide: boolean): Column<OperatorModel> => ({
    id: name,
    header: t(`prices.rate_${name}`),
    align: "right",
    wide,
    sort: (model) => moneyValue(model.free ? "0" : priceInForce(model, nowMs)?.[name]),
    cell: (model) => <RateCell model={model} name={name} />,
  });
  return [
    {
      id: "model",
      header: t("prices.model"),
      sort: ({ id }) => id,
      cell: (model) => (
        <span className="block sm:min-w-48">
          <span className="block font-mono text-[13px] break-all">{model.id}</span>
          <span className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
            {model.owned_by}
            <Marks model={model} />
          </span>
        </span>
      ),
    },
    rate("input", false),
    rate("cache_read", true),
    rate("output", false),
    column(
      "version",
      t("prices.version"),
      ({ price_version: version }) => (
        <span className="block max-w-48 truncate font-mono text-xs" title={version ?? undefined}>
          {version}
        </span>
      ),
      { wide: true, sort: ({ price_version }) => price_version },
    ),
  ];
}

export function ModelsTab() {
  const { t } = useSpeech();
  const models = useResource<Page<OperatorModel>>(MODELS_PATH);
  const columns = useColumns(columnsOf, useNow());
  const { values, set, ...above } = useFilters(["q", "model", "new"]);
  const words = values.q?.trim().toLowerCase() ?? "";
  const all = models.data?.data;
  const data = useMemo(
    () => all?.filter((model) => `${model.id} ${model.owned_by}`.toLowerCase().includes(words)),
    [all, words],
  );
  const opened = all?.find(({ id }) => id === values.model);
  const open = ({ id }: OperatorModel) => above.open({ new: undefined, model: id });
  return (
    <>
      <div className="mb-4 flex items-center justify-between gap-3">
        <Input
          {...SEARCH_TARGET}
          type="search"
          aria-label={t("prices.search")}
          placeholder={t("prices.search")}
          className="max-w-72"
          value={values.q ?? ""}
          onValueChange={(q) => set({ q })}
        />
        <Button onClick={() => set({ new: "1" })}>
          <Plus size={16} />
          {t("prices.add")}
        </Button>
      </div>
      <Card flush>
        <DataTable
          label={t("prices.tableLabel")}
          columns={columns}
          rows={rowsOf({ ...models, data })}
          onOpen={open}
          empty={
            <EmptyState
              icon={<Tags size={28} />}
              title={t("prices.noneFound")}
              action={
                <Button onClick={() => set({ q: undefined })}>{t("words.clearFilters")}</Button>
              }
            >
              {t("prices.noneFoundHint")}
            </EmptyState>
          }
        />
      </Card>
      <p className="mt-2 text-[13px] text-muted">{t("prices.perMillion")}</p>
      {values.new === "1" && <AddDialog onClose={() => set({ new: undefined })} onAdded={open} />}
      {opened && <ModelDrawer model={opened} onClose={() => above.close("model")} />}
    </>
  );
}
