import type { PriceChange } from "../../../src/console/operator/contract/models.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { rowsOf } from "../../lib/queries.ts";
import { cx } from "../../ui/cx.ts";
import { Money } from "../../ui/money.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";

type RateChange = PriceChange["changes"][number];

function Rate({ amount }: { readonly amount: string | null }) {
  const { t } = useSpeech();
  if (amount === null) return <span className="text-muted">{t("prices.notOffered")}</span>;
  return <Money exact amount={amount} />;
}

function Percent({ percent }: { readonly percent: string | null }) {
  const { locale } = useSpeech();
  if (percent === null) return null;
  const direction = compareDecimals(percent, "0");
  const words = new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 2,
    signDisplay: "exceptZero",
  }).format(Number(percent) / 100);
  return (
    <span
      className={cx(
        "whitespace-nowrap",
        direction > 0 && "text-warn",
        direction < 0 && "text-good",
      )}
    >
      {words}
    </span>
  );
}

function rateChangeColumns({ t }: Speech): readonly Column<RateChange>[] {
  return [
    { id: "rate", header: t("prices.rate"), cell: ({ rate }) => t(`prices.rate_${rate}`) },
    column("old", t("prices.before"), (each) => <Rate amount={each.old} />, { align: "right" }),
    column("new", t("prices.after"), (each) => <Rate amount={each.new} />, { align: "right" }),
    column("percent", t("prices.change"), ({ percent }) => <Percent percent={percent} />, {
      align: "right",
    }),
  ];
}

/** Rate by rate, for one model. */
export function RateDiff({ change }: { readonly change: PriceChange }) {
  const { t } = useSpeech();
  const columns = useColumns(rateChangeColumns);
  return (
    <div className="rounded-lg border border-line">
      <DataTable
        label={t("prices.diffLabel")}
        columns={columns}
        rows={rowsOf({ data: change.changes })}
        rowId={({ rate }) => rate}
        empty={<p className="p-4 text-sm text-muted">{t("prices.tiersOnly")}</p>}
      />
    </div>
  );
}

function Step({ change }: { readonly change: RateChange | undefined }) {
  if (!change) return null;
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-1.5">
      <span className="text-muted">
        <Rate amount={change.old} />
      </span>
      <span aria-hidden>→</span>
      <Rate amount={change.new} />
    </span>
  );
}

function priceChangeColumns({ t }: Speech): readonly Column<PriceChange>[] {
  const of = (change: PriceChange, name: string) =>
    change.changes.find(({ rate }) => rate === name);
  return [
    column("model", t("prices.model"), ({ model }) => (
      <span className="font-mono text-[13px] break-all">{model}</span>
    )),
    column("input", t("prices.rate_input"), (change) => <Step change={of(change, "input")} />, {
      align: "right",
    }),
    column("output", t("prices.rate_output"), (change) => <Step change={of(change, "output")} />, {
      align: "right",
    }),
    column(
      "percent",
      t("prices.change"),
      ({ changes: all }) => <Percent percent={all[0]?.percent ?? null} />,
      { align: "right", wide: true },
    ),
  ];
}

/** Model by model: what a markup does to the two rates that matter most. */
export function ModelsDiff({ changes }: { readonly changes: readonly PriceChange[] }) {
  const { t } = useSpeech();
  const columns = useColumns(priceChangeColumns);
  return (
    <div className="rounded-lg border border-line">
      <DataTable
        label={t("prices.diffLabel")}
        columns={columns}
        rows={rowsOf({ data: changes })}
        rowId={({ model }) => model}
        empty={<p className="p-4 text-sm text-muted">{t("prices.nothingChanges")}</p>}
      />
    </div>
  );
}
