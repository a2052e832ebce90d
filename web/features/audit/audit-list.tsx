import { ScrollText } from "lucide-react";
import type { AuditRecord } from "../../../src/accounts/contract/audit.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { withInstants } from "../../lib/time/day-range.ts";
import { Card } from "../../ui/card.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { Address, Name } from "../../ui/tables/name.tsx";
import { NoRows } from "../../ui/tables/no-rows.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { actionWords } from "./action-words.ts";
import { changeLine } from "./change-words.ts";
import { FILTERS, FilterBar } from "./filter-bar.tsx";

const AUDIT = "/api/operator/audit";

const RecordDrawer = lazyPart(() => import("./record-drawer.tsx"), "RecordDrawer");

interface AuditListProps {
  /** The only account whose changes are shown. */
  readonly account?: string;
}

/** Who changed what, with filters that live in the address. */
export function AuditList({ account }: AuditListProps) {
  const { t } = useSpeech();
  const timeZone = useTimeZone();
  const filters = useFilters(FILTERS);
  const { values, open, close } = useFilters(["record"]);
  const query = withInstants(filters.values, timeZone);
  const rows = useRows<AuditRecord>(AUDIT, { ...query, ...(account && { account }) });
  const columns = useColumns(columnsOf, account === undefined);
  const shown = rows.data?.find(({ id }) => id === values.record);
  return (
    <>
      <FilterBar {...filters} everywhere={account === undefined} known={rows.data ?? []} />
      <Card flush>
        <DataTable
          label={t("audit.table")}
          columns={columns}
          rows={rows}
          onOpen={({ id }) => open({ record: id })}
          empty={
            <NoRows
              of="audit"
              icon={<ScrollText size={28} />}
              filtered={filters.active}
              onClear={filters.clear}
            />
          }
        />
      </Card>
      {rows.data && (
        <p className="mt-2 text-xs text-muted">{t("words.timesIn", { zone: timeZone })}</p>
      )}
      {shown && (
        <RecordDrawer
          record={shown}
          onFilter={(change) => filters.set({ ...change, record: undefined } as typeof change)}
          onClose={() => close("record")}
        />
      )}
    </>
  );
}

/** A name, with what it stands for below it; only that, where there is no name. */
function Named({ name, id }: { readonly name: string | null; readonly id: string }) {
  if (name === null || name === id) return <Address text={id} />;
  return (
    <>
      <Name text={name} />
      <span className="hidden text-xs text-muted sm:block">
        <Address text={id} />
      </span>
    </>
  );
}

function columnsOf(speech: Speech, everywhere: boolean): readonly Column<AuditRecord>[] {
  const { t } = speech;
  const account: Column<AuditRecord> = {
    id: "account",
    header: t("audit.account"),
    wide: true,
    cell: ({ account_id, account_name }) =>
      account_id === null ? (
        <span className="text-muted">{t("audit.installation")}</span>
      ) : (
        <Name text={account_name ?? account_id} />
      ),
  };
  return [
    {
      id: "what",
      header: t("audit.what"),
      sort: ({ action }) => action,
      cell: (record) => (
        <>
          <span className="font-medium">{actionWords(record.action, t)}</span>
          <span className="line-clamp-2 max-w-80 text-[13px] wrap-anywhere text-muted">
            {changeLine(record, speech)}
          </span>
        </>
      ),
    },
    column("target", t("audit.target"), (row) => <Named name={row.target_name} id={row.target} />, {
      wide: true,
    }),
    column("who", t("audit.who"), (row) => <Named name={row.actor_name} id={row.actor} />, {
      sort: ({ actor, actor_name }) => actor_name ?? actor,
    }),
    ...(everywhere ? [account] : []),
    timeColumn("when", t("audit.when"), (row) => row.created_at, { align: "right" }),
  ];
}
