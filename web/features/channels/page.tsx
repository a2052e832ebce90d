import { CircleAlert, Plus, Waypoints } from "lucide-react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { exactError, needsSomebody, shownState } from "./channel-health.ts";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { HealthBadge, HealthWindow, VendorWords } from "./health-view.tsx";
import { CHANNELS_PATH } from "./paths.ts";
import { ReviveButton } from "./revive-button.tsx";
import { vendorName } from "./vendors.ts";

const AddDialog = lazyPart(() => import("./add-dialog.tsx"), "AddDialog");
const ChannelDrawer = lazyPart(() => import("./channel-drawer.tsx"), "ChannelDrawer");

/** Health changes without anybody doing anything. */
const LOOK_MS = 10_000;

function columnsOf({ t }: Speech): readonly Column<Channel>[] {
  return [
    {
      id: "name",
      header: t("channels.channel"),
      sort: ({ name }) => name,
      cell: (channel) => (
        <span className="block sm:min-w-40">
          <span className="block font-medium">{channel.name}</span>
          <span className="block text-xs text-muted">
            {vendorName(channel.vendor, t("channels.vendor_custom"))}
          </span>
        </span>
      ),
    },
    column("health", t("channels.health"), (channel) => <HealthBadge channel={channel} />),
    column("window", t("channels.window"), (channel) => <HealthWindow channel={channel} />, {
      wide: true,
    }),
    column("models", t("channels.models"), ({ serves }) => serves.length, {
      align: "right",
      wide: true,
      sort: ({ serves }) => serves.length,
    }),
    column("enabled", t("channels.enabled"), (channel) => <EnabledSwitch channel={channel} />, {
      sort: ({ enabled }) => Number(enabled),
    }),
  ];
}

export function ChannelsPage() {
  const { t } = useSpeech();
  const channels = useResource<Page<Channel>>(CHANNELS_PATH, {}, { refetchMs: LOOK_MS });
  const columns = useColumns(columnsOf);
  const { values, set, ...above } = useFilters(["new", "channel"]);
  const data = channels.data?.data;
  const opened = data?.find(({ id }) => id === values.channel);
  const add = (
    <Button kind="primary" onClick={() => set({ new: "1" })}>
      <Plus size={16} />
      {t("channels.add")}
    </Button>
  );
  const open = ({ id }: Channel) => above.open({ new: undefined, channel: id });
  return (
    <>
      <PageHeader
        title={t("channels.title")}
        description={t("channels.description")}
        actions={add}
      />
      <div className="flex flex-col gap-5">
        {data?.filter(needsSomebody).map((channel) => (
          <Trouble key={channel.id} channel={channel} onOpen={() => open(channel)} />
        ))}
        {/* Trouble may come above it; what stood in its place until then is another element. */}
        <Card key={data ? "there" : "waiting"} flush>
          <DataTable
            label={t("channels.tableLabel")}
            columns={columns}
            rows={rowsOf({ ...channels, data })}
            onOpen={open}
            empty={
              <EmptyState
                icon={<Waypoints size={28} />}
                title={t("channels.emptyTitle")}
                action={add}
              >
                {t("channels.emptyHint")}
              </EmptyState>
            }
          />
        </Card>
      </div>
      {values.new === "1" && <AddDialog onClose={() => set({ new: undefined })} onAdded={open} />}
      {opened && <ChannelDrawer channel={opened} onClose={() => above.close("channel")} />}
    </>
  );
}

/** Said at the top of the page, since mostly nothing but a person brings the channel back. */
function Trouble({ channel, onOpen }: { readonly channel: Channel; readonly onOpen: () => void }) {
  const { t } = useSpeech();
  const { name } = channel;
  const error = exactError(channel);
  const state = shownState(channel);
  const trouble =
    state === "broken" || state === "failing" || state === "quota" ? state : "refused";
  return (
    <Notice tone="bad" icon={<CircleAlert size={16} />}>
      <p className="font-medium">{t(`channels.${trouble}Title`, { name })}</p>
      {error && <VendorWords>{error}</VendorWords>}
      <div className="mt-2 flex flex-wrap gap-2">
        {(state === "refused" || state === "quota") && <ReviveButton channel={channel} />}
        <Button onClick={onOpen}>{t("channels.details")}</Button>
      </div>
    </Notice>
  );
}
