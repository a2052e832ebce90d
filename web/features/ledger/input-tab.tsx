import type {
  AccountInputLoss,
  ChannelInputLoss,
  InputLosses,
} from "../../../src/console/operator/contract/ledger.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { moneyColumn, numberColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { ChannelName } from "../channels/channel-name.tsx";
import { accountColumn, accountOf } from "./columns.tsx";
import { LEDGER_PATH } from "./paths.ts";
import { SpanSelect, useSpan } from "./span-select.tsx";

function sumColumns<Row extends ChannelInputLoss | AccountInputLoss>({ t, locale }: Speech) {
  const columns: readonly Column<Row>[] = [
    numberColumn("requests", t("words.requests"), (row) => row.requests, locale, { wide: true }),
    moneyColumn("loss", t("ledger.loss"), (row) => row.loss),
  ];
  return columns;
}

function dayColumn<Row extends { readonly day: string }>({ t }: Speech): Column<Row> {
  return { id: "day", header: t("ledger.day"), sort: ({ day }) => day, cell: ({ day }) => day };
}

function channelColumnsOf(speech: Speech): readonly Column<ChannelInputLoss>[] {
  return [
    dayColumn(speech),
    {
      id: "channel",
      header: speech.t("ledger.channel"),
      sort: ({ channel }) => channel,
      cell: ({ channel }) => <ChannelName id={channel} />,
    },
    ...sumColumns<ChannelInputLoss>(speech),
  ];
}

function accountColumnsOf(speech: Speech): readonly Column<AccountInputLoss>[] {
  return [
    dayColumn(speech),
    accountColumn(speech, accountOf),
    ...sumColumns<AccountInputLoss>(speech),
  ];
}

/** Input that vendors counted beyond our bounds: what it lost by day, channel and account. */
export function InputTab() {
  const { t } = useSpeech();
  const losses = useResource<InputLosses>(`${LEDGER_PATH}/input-losses`, useSpan(), { keep: true });
  const { data } = losses;
  const channelColumns = useColumns(channelColumnsOf);
  const accountColumns = useColumns(accountColumnsOf);
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">{t("ledger.inputHint")}</p>
      <StatRow>
        <Stat label={t("ledger.inputTotal")} value={data && <Money amount={data.total} />} />
      </StatRow>
      <Card flush title={t("ledger.inputByChannel")} action={<SpanSelect />}>
        <DataTable
          label={t("ledger.inputByChannel")}
          columns={channelColumns}
          rows={rowsOf({ ...losses, data: data?.by_channel })}
          rowId={(row) => `${row.day} ${row.channel}`}
          skeletonRows={3}
          empty={<EmptyState title={t("ledger.noInput")}>{t("ledger.noInputHint")}</EmptyState>}
        />
      </Card>
      {data && data.by_account.length > 0 && (
        <Card flush title={t("ledger.inputByAccount")}>
          <DataTable
            label={t("ledger.inputByAccount")}
            columns={accountColumns}
            rows={rowsOf({ data: data.by_account })}
            rowId={(row) => `${row.day} ${row.account_id}`}
            empty={null}
          />
        </Card>
      )}
    </div>
  );
}
