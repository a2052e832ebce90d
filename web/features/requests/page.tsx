import { ListTree } from "lucide-react";
import type { RequestRow } from "../../../src/console/contract/requests.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useAddressSort } from "../../lib/address-sort.ts";
import { withQuery } from "../../lib/api.ts";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import type { Rows } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { withInstants } from "../../lib/time/day-range.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DownloadLink } from "../../ui/download-link.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Switch } from "../../ui/switch.tsx";
import { NoRows } from "../../ui/tables/no-rows.tsx";
import { DataTable } from "../../ui/tables/table.tsx";
import { FILTERS, FilterBar } from "./filter-bar.tsx";
import { useLiveRows } from "./live-rows.ts";
import { useRequestColumns } from "./request-columns.tsx";

const ReceiptDrawer = lazyPart(() => import("./receipt-drawer.tsx"), "ReceiptDrawer");

export function RequestsPage() {
  const { t } = useSpeech();
  const { path } = useSession();
  const timeZone = useTimeZone();
  const filters = useFilters(FILTERS);
  const { values, set, open, close } = useFilters(["live", "request"]);
  // What ended, and what is looked for by its id, does not grow.
  const tailable = !filters.values.q && !filters.values.from && !filters.values.to;
  const live = tailable && values.live === "1";
  const query = withInstants(filters.values, timeZone);
  const rows = useLiveRows(path("/requests"), query, live);
  const sorting = useAddressSort();
  const columns = useRequestColumns();
  return (
    <>
      <PageHeader
        title={t("requests.title")}
        description={t("requests.description")}
        actions={
          <>
            <LiveSwitch
              live={live}
              disabled={!tailable}
              onChange={(on) => set({ live: on ? "1" : undefined })}
            />
            <DownloadLink href={withQuery(path("/requests.csv"), query)} />
          </>
        }
      />
      <FilterBar {...filters} />
      <Card flush>
        <DataTable
          label={t("requests.tableLabel")}
          columns={columns}
          rows={rows}
          onOpen={(row) => open({ request: row.id })}
          sorting={sorting}
          skeletonRows={12}
          empty={<NoRequests rows={rows} filtered={filters.active} clear={filters.clear} />}
        />
      </Card>
      {rows.data && (
        <p className="mt-2 text-xs text-muted">{t("words.timesIn", { zone: timeZone })}</p>
      )}
      {values.request && <ReceiptDrawer id={values.request} onClose={() => close("request")} />}
    </>
  );
}

interface LiveSwitchProps {
  readonly live: boolean;
  readonly disabled: boolean;
  readonly onChange: (live: boolean) => void;
}

function LiveSwitch({ live, disabled, onChange }: LiveSwitchProps) {
  const { t } = useSpeech();
  return (
    <span
      className="flex h-9 items-center gap-2 text-sm"
      title={disabled ? t("requests.liveNot") : t("requests.liveHint")}
    >
      {live && (
        <span
          aria-hidden="true"
          className="size-2 rounded-full bg-good motion-safe:animate-pulse"
        />
      )}
      {t("requests.live")}
      <Switch
        checked={live}
        disabled={disabled}
        onChange={onChange}
        label={t("requests.liveLabel")}
      />
    </span>
  );
}

interface NoRequestsProps {
  readonly rows: Rows<RequestRow>;
  readonly filtered: boolean;
  readonly clear: () => void;
}

function NoRequests({ rows, filtered, clear }: NoRequestsProps) {
  const { t } = useSpeech();
  const icon = <ListTree size={28} />;
  if (rows.hasMore) {
    // A search for what is rare looks at some rows at a time.
    return (
      <EmptyState
        icon={icon}
        title={t("requests.noneYet")}
        action={
          <Button busy={rows.loadingMore} onClick={rows.loadMore}>
            {t("requests.searchOn")}
          </Button>
        }
      >
        {t("requests.noneYetHint")}
      </EmptyState>
    );
  }
  const action = <TextLink to="/">{t("requests.emptyAction")}</TextLink>;
  return <NoRows of="requests" {...{ icon, filtered, action }} onClear={clear} />;
}
