import type { Key } from "../../../src/console/contract/keys.ts";
import type { RequestRow } from "../../../src/console/contract/requests.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/tables/table.tsx";
import { CostChart } from "../overview/cost-chart.tsx";
import { useRequestColumns } from "../requests/request-columns.tsx";
import { useKeyUsage } from "./key-usage.ts";

const ReceiptDrawer = lazyPart(() => import("../requests/receipt-drawer.tsx"), "ReceiptDrawer");

/** The chart sits on the table that it describes. */
export function KeyLog({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const rows = useRows<RequestRow>(path("/requests"), { key: item.id });
  const columns = useRequestColumns(true);
  const { data, days } = useKeyUsage(item.id);
  const costs = new Map(data?.rows.map((row) => [row.day, row.cost]));
  const { values, open, close } = useFilters(["request"]);
  return (
    <Card
      flush
      title={t("keys.costByDay")}
      action={<span className="text-xs text-muted">{t("words.timesIn", { zone: timeZone })}</span>}
    >
      <div className="px-5 pt-3 pb-2">
        <CostChart
          label={t("keys.costByDay")}
          days={data && days.map((day) => ({ day, cost: costs.get(day) ?? "0" }))}
        />
      </div>
      <h2 className="border-t border-line px-5 pt-4 pb-1 text-sm font-semibold">{t("keys.log")}</h2>
      <DataTable
        label={t("keys.log")}
        columns={columns}
        rows={rows}
        onOpen={(row) => open({ request: row.id })}
        empty={<NoRequest item={item} />}
      />
      {values.request && <ReceiptDrawer id={values.request} onClose={() => close("request")} />}
    </Card>
  );
}

/** Nobody is asked to send one with a key that is no more. */
function NoRequest({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  if (item.deleted_at !== null) return <EmptyState title={t("keys.logNone")} />;
  return (
    <EmptyState
      title={t("keys.logEmpty")}
      action={<TextLink to="/">{t("requests.emptyAction")}</TextLink>}
    >
      {t("keys.logEmptyHint")}
    </EmptyState>
  );
}
