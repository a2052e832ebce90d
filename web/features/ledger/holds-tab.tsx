import type { Hold } from "../../../src/console/operator/contract/ledger.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useRows } from "../../lib/queries.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { column, moneyColumn, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { ChannelName } from "../channels/channel-name.tsx";
import { accountColumn, accountOf, requestColumn } from "./columns.tsx";
import { LEDGER_PATH } from "./paths.ts";

function holdColumns(speech: Speech): readonly Column<Hold>[] {
  const { t } = speech;
  return [
    requestColumn(speech, (hold) => hold.id),
    accountColumn(speech, accountOf, { wide: true }),
    column("channel", t("ledger.channel"), (hold) => <ChannelName id={hold.channel} />, {
      wide: true,
      sort: (hold) => hold.channel,
    }),
    timeColumn("since", t("ledger.heldSince"), (hold) => hold.created_at),
    moneyColumn("amount", t("ledger.held"), (hold) => hold.amount),
  ];
}

export function HoldsTab() {
  const { t } = useSpeech();
  const holds = useRows<Hold>(`${LEDGER_PATH}/holds`);
  const columns = useColumns(holdColumns);
  return (
    <>
      <p className="mb-3 text-sm text-muted">{t("ledger.holdsHint")}</p>
      <Card flush>
        <DataTable
          label={t("ledger.holds")}
          columns={columns}
          rows={holds}
          empty={<EmptyState title={t("ledger.noHolds")}>{t("ledger.noHoldsHint")}</EmptyState>}
        />
      </Card>
    </>
  );
}
