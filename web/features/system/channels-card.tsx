import type { ChannelLine } from "../../../src/console/operator/contract/channels.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { Link, TextLink } from "../../lib/link.tsx";
import { type Loaded, rowsOf } from "../../lib/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { STATE_TONES, shownState } from "../channels/channel-health.ts";
import { ChannelName } from "../channels/channel-name.tsx";
import { vendorName } from "../channels/vendors.ts";

/** Whether requests have somewhere to go, at a glance; the channels' own page has the rest. */
export function ChannelsCard({ query }: { readonly query: Loaded<readonly ChannelLine[]> }) {
  const { t } = useSpeech();
  const columns = useColumns(columnsOf);
  const link = <TextLink to="/operator/channels">{t("system.channelsOpen")}</TextLink>;
  return (
    <Card flush title={t("system.channels")} action={<span className="text-[13px]">{link}</span>}>
      <DataTable
        label={t("system.channels")}
        columns={columns}
        rows={rowsOf(query)}
        skeletonRows={3}
        empty={
          <EmptyState title={t("system.channelsEmpty")} action={link}>
            {t("system.channelsEmptyHint")}
          </EmptyState>
        }
      />
    </Card>
  );
}

function columnsOf({ t }: Speech): readonly Column<ChannelLine>[] {
  return [
    {
      id: "channel",
      header: t("system.channel"),
      sort: ({ id }) => id,
      cell: ({ id }) => (
        <Link
          {...OPENS}
          to="/operator/channels"
          search={{ channel: id }}
          className="hover:underline"
        >
          <ChannelName id={id} />
        </Link>
      ),
    },
    column(
      "vendor",
      t("system.vendor"),
      ({ vendor }) => vendorName(vendor, t("channels.vendor_custom")),
      { sort: ({ vendor }) => vendor },
    ),
    column("state", t("system.state"), (line) => <State line={line} />, { align: "right" }),
  ];
}

function State({ line }: { readonly line: ChannelLine }) {
  const { t } = useSpeech();
  const shown = shownState(line);
  return <Badge tone={STATE_TONES[shown]}>{t(`channels.state_${shown}`)}</Badge>;
}
