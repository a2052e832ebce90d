import { Download, ReceiptText } from "lucide-react";
import type { Entry } from "../../../src/console/contract/statement.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { formatLogDay } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { moneyValue, timeValue } from "../../lib/sorting.ts";
import { useNow } from "../../lib/time/now.ts";
import { Balance } from "../../ui/balance.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { MenuOnDemand } from "../../ui/menu-on-demand.tsx";
import { Money } from "../../ui/money.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { Time } from "../../ui/time.tsx";
import { noteWords } from "./entry-note.ts";
import { TopUpLink } from "./top-up-link.tsx";

const StatementMenu = lazyPart(() => import("./statement-menu.tsx"), "StatementMenu");

const KINDS = ["trial", "topup", "test", "restore", "refund", "reversal", "usage"] as const;

function columnsOf({ t }: Speech): readonly Column<Entry>[] {
  return [
    {
      id: "date",
      header: t("wallet.date"),
      sort: (entry) => timeValue(entry.created_at),
      cell: (entry) =>
        entry.day === undefined ? (
          <Time at={entry.created_at} as="clock" />
        ) : (
          <LogDay day={entry.day} />
        ),
    },
    column("entry", t("wallet.entry"), (entry) => <EntryName entry={entry} />, {
      sort: (entry) => entry.kind,
    }),
    column(
      "amount",
      t("wallet.amount"),
      (entry) => (
        <Money
          signed
          amount={entry.amount}
          className={entry.amount.startsWith("-") ? "" : "font-medium text-good"}
        />
      ),
      { align: "right", sort: (entry) => moneyValue(entry.amount) },
    ),
    column("after", t("wallet.balanceAfter"), (entry) => <Balance amount={entry.balance_after} />, {
      align: "right",
      wide: true,
    }),
  ];
}

function LogDay({ day }: { readonly day: string }) {
  const { locale } = useSpeech();
  const timeZone = useTimeZone();
  return (
    <span className="whitespace-nowrap tabular-nums">
      {formatLogDay(day, useNow(), locale, timeZone)}
    </span>
  );
}

function EntryName({ entry }: { readonly entry: Entry }) {
  const { t } = useSpeech();
  const { me } = useSession();
  // Customers have no use for the id of an entry.
  const ref = me.operator ? entry.ref : "";
  const { day } = entry;
  if (day !== undefined) {
    return (
      <div>
        <TextLink {...OPENS} to="/usage" search={{ range: "custom", from: day, to: day }}>
          {t("wallet.kind_usage")}
        </TextLink>
        <p className="text-[13px] text-muted">{t("wallet.usageHint")}</p>
      </div>
    );
  }
  const kind = KINDS.find((name) => name === entry.kind);
  const note = noteWords(entry.note, t);
  return (
    <div className="min-w-0">
      <p className="font-medium">{kind ? t(`wallet.kind_${kind}`) : entry.kind}</p>
      {(note || ref) && (
        <p className="max-w-80 truncate text-[13px] text-muted" title={note}>
          {note}
          {ref && (
            <span className="hidden font-mono text-xs sm:inline">
              {note && " · "}
              {ref}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

function Files() {
  const { t } = useSpeech();
  const trigger = (
    <Button size="small">
      <Download size={14} />
      {t("words.download")}
    </Button>
  );
  return <MenuOnDemand trigger={trigger} menu={(drawn) => <StatementMenu trigger={drawn} />} />;
}

/** Every credit, and what each day cost. */
export function Statement() {
  const { t } = useSpeech();
  const { path } = useSession();
  const rows = useRows<Entry>(path("/entries"));
  const columns = useColumns(columnsOf);
  return (
    <Card flush title={t("wallet.statement")} action={<Files />}>
      <DataTable
        label={t("wallet.statementLabel")}
        columns={columns}
        rows={rows}
        empty={
          <EmptyState
            icon={<ReceiptText size={28} />}
            title={t("wallet.statementEmpty")}
            action={<TopUpLink />}
          >
            {t("wallet.statementEmptyHint")}
          </EmptyState>
        }
      />
    </Card>
  );
}
