import { CircleHelp, Scale } from "lucide-react";
import type { Margin, MarginLine } from "../../../src/console/operator/contract/ledger.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { moneyValue } from "../../lib/sorting.ts";
import { Notice } from "../../ui/badge.tsx";
import { Card, Stat, StatRow } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { numberColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { ChannelName } from "../channels/channel-name.tsx";
import { LEDGER_PATH } from "./paths.ts";
import { ReachedNotice, SpanSelect, useSpan } from "./span-select.tsx";
import { totalsOf } from "./totals.ts";

interface KnownProps {
  readonly amount: string | null;
  readonly signed?: boolean;
}

function Known({ amount, signed = false }: KnownProps) {
  const { t } = useSpeech();
  if (amount === null) return <span className="text-muted">{t("ledger.unknown")}</span>;
  const debt = signed && amount.startsWith("-");
  return <Money amount={amount} signed={signed} className={debt ? "text-bad" : ""} />;
}

function columnsOf({ t, locale }: Speech): readonly Column<MarginLine>[] {
  const money = (
    id: "charged" | "list_cost" | "loss" | "overage" | "margin",
    wide: boolean,
  ): Column<MarginLine> => ({
    id,
    header: t(`ledger.${id}`),
    align: "right",
    wide,
    sort: (line) => moneyValue(line[id]),
    cell: (line) => <Known signed={id === "margin"} amount={line[id]} />,
  });
  return [
    {
      id: "channel",
      header: t("ledger.channel"),
      sort: ({ channel }) => channel,
      cell: ({ channel }) =>
        channel === "" ? (
          <span className="text-muted">{t("ledger.noChannel")}</span>
        ) : (
          <ChannelName id={channel} />
        ),
    },
    numberColumn("requests", t("words.requests"), (line) => line.requests, locale, {
      wide: true,
    }),
    numberColumn("failures", t("ledger.failures"), (line) => line.failures, locale, {
      wide: true,
    }),
    money("charged", false),
    money("list_cost", true),
    money("loss", true),
    money("overage", true),
    money("margin", false),
  ];
}

export function MarginTab() {
  const { t, rich } = useSpeech();
  const margin = useResource<Margin>(`${LEDGER_PATH}/margin`, useSpan(), { keep: true });
  const columns = useColumns(columnsOf);
  const totals = margin.data && totalsOf(margin.data.data);
  return (
    <div className="flex flex-col gap-5">
      <StatRow>
        <Stat label={t("ledger.charged")} value={totals && <Known amount={totals.charged} />} />
        <Stat label={t("ledger.list_cost")} value={totals && <Known amount={totals.listCost} />} />
        <Stat
          label={t("ledger.loss")}
          value={totals && <Known amount={totals.loss} />}
          hint={t("ledger.lossHint")}
        />
        <Stat
          label={t("ledger.margin")}
          value={totals && <Known signed amount={totals.margin} />}
          hint={t("ledger.marginHint")}
        />
      </StatRow>
      <Card flush title={t("ledger.byChannel")} action={<SpanSelect />}>
        <DataTable
          label={t("ledger.byChannel")}
          columns={columns}
          rows={rowsOf({ ...margin, data: margin.data?.data })}
          rowId={(line) => line.channel}
          skeletonRows={3}
          empty={
            <EmptyState icon={<Scale size={28} />} title={t("ledger.noMargin")}>
              {t("ledger.noMarginHint")}
            </EmptyState>
          }
        />
      </Card>
      {/* Below the table, which must not move when it comes. */}
      {totals && totals.unpricedModels.length > 0 && (
        <Notice icon={<CircleHelp size={16} />}>
          {rich("ledger.unpriced", {
            amount: <Money amount={totals.unpriced} />,
            models: <span className="font-mono">{totals.unpricedModels.join(", ")}</span>,
          })}
        </Notice>
      )}
      <ReachedNotice reached={margin.data} />
    </div>
  );
}
