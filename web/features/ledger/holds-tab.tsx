import type { Hold } from "../../../src/console/operator/contract/ledger.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useRows } from "../../lib/queries.ts";
import { Card } from "../../ui/card.tsx";
import { Code } from "../../ui/code.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { moneyColumn, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { LEDGER_PATH } from "./paths.ts";

function holdColumns({ t }: Speech): readonly Column<Hold>[] {
  return [
    {
      id: "request",
      header: t("ledger.request"),
      cell: (hold) => (
        <div className="min-w-0">
          <Code>{hold.id}</Code>
          <p className="font-mono text-xs break-all text-muted">{hold.model}</p>
        </div>
      ),
    },
    {
      id: "account",
      header: t("ledger.account"),
      wide: true,
      sort: (hold) => hold.account_id,
      cell: (hold) => <span className="font-mono text-[13px]">{hold.account_id}</span>,
    },
    {
      id: "channel",
      header: t("ledger.channel"),
      wide: true,
      sort: (hold) => hold.channel,
      cell: (hold) => <span className="font-mono text-[13px]">{hold.channel}</span>,
    },
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
          rowId={({ id }) => id}
          empty={<EmptyState title={t("ledger.noHolds")}>{t("ledger.noHoldsHint")}</EmptyState>}
        />
      </Card>
    </>
  );
}
