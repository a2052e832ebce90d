import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import type { Overage, OverageRequest } from "../../../src/console/operator/contract/ledger.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { Balance } from "../../ui/balance.tsx";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { moneyColumn, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { accountColumn, accountOf, requestColumn } from "./columns.tsx";
import { LEDGER_PATH } from "./paths.ts";
import { ReachedNotice, SpanSelect, useSpan } from "./span-select.tsx";

function requestColumnsOf(speech: Speech): readonly Column<OverageRequest>[] {
  const { t } = speech;
  return [
    requestColumn(speech, (row) => row.request_id),
    accountColumn(speech, accountOf, { wide: true }),
    timeColumn("at", t("ledger.when"), (row) => row.created_at, { wide: true, as: "clock" }),
    moneyColumn("held", t("ledger.held"), (row) => row.held, { wide: true }),
    moneyColumn("charged", t("ledger.charged"), (row) => row.charged),
    moneyColumn("overage", t("ledger.overage"), (row) => row.overage),
  ];
}

function accountColumnsOf(speech: Speech): readonly Column<OperatorAccount>[] {
  const { t } = speech;
  return [
    accountColumn(speech, (account) => account),
    moneyColumn("held", t("ledger.held"), (row) => row.held),
    moneyColumn("balance", t("ledger.balance"), (row) => row.balance, {
      cell: (row) => <Balance amount={row.balance} />,
    }),
  ];
}

export function OverageTab() {
  const { t } = useSpeech();
  const overage = useResource<Overage>(`${LEDGER_PATH}/overage`, useSpan(), { keep: true });
  const { data } = overage;
  const requestColumns = useColumns(requestColumnsOf);
  const accountColumns = useColumns(accountColumnsOf);
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">{t("ledger.overageHint")}</p>
      <StatRow>
        <Stat label={t("ledger.overageTotal")} value={data && <Money amount={data.total} />} />
        <Stat label={t("ledger.belowZero")} value={data?.accounts_below_zero.length} />
      </StatRow>
      <Card flush title={t("ledger.overageRequests")} action={<SpanSelect />}>
        <DataTable
          label={t("ledger.overageRequests")}
          columns={requestColumns}
          rows={rowsOf({ ...overage, data: data?.requests })}
          rowId={(row) => row.request_id}
          skeletonRows={3}
          empty={<EmptyState title={t("ledger.noOverage")}>{t("ledger.noOverageHint")}</EmptyState>}
        />
      </Card>
      {data && data.accounts_below_zero.length > 0 && (
        <Card flush title={t("ledger.belowZero")}>
          <DataTable
            label={t("ledger.belowZero")}
            columns={accountColumns}
            rows={rowsOf({ data: data.accounts_below_zero })}
            empty={null}
          />
        </Card>
      )}
      <ReachedNotice reached={data} />
    </div>
  );
}
