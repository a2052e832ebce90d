import { Download, Plus, Ticket } from "lucide-react";
import type { CodeBatch } from "../../../src/payments/contract/codes.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { useNow } from "../../lib/time/now.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { MenuOnDemand } from "../../ui/menu-on-demand.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import {
  column,
  moneyColumn,
  numberColumn,
  timeColumn,
  useColumns,
} from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { BATCHES } from "./batches.ts";

const CreateDialog = lazyPart(() => import("./create-dialog.tsx"), "CreateDialog");
const BatchDrawer = lazyPart(() => import("./batch-drawer.tsx"), "BatchDrawer");
const FilesMenu = lazyPart(() => import("./files-menu.tsx"), "FilesMenu");

interface BatchProps {
  readonly batch: CodeBatch;
}

export function CodesPage() {
  const { t } = useSpeech();
  const rows = useRows<CodeBatch>(BATCHES);
  const columns = useColumns(columnsOf);
  const { values, set, open, close } = useFilters(["new", "batch"]);
  const opened = rows.data?.find(({ id }) => id === values.batch);
  const create = (
    <Button kind="primary" onClick={() => set({ new: "1" })}>
      <Plus size={16} />
      {t("codes.create")}
    </Button>
  );
  const empty = (
    <EmptyState icon={<Ticket size={28} />} title={t("codes.emptyTitle")} action={create}>
      {t("codes.emptyHint")}
    </EmptyState>
  );
  return (
    <>
      <PageHeader title={t("codes.title")} description={t("codes.description")} actions={create} />
      <Card flush>
        <DataTable
          label={t("codes.table")}
          columns={columns}
          rows={rows}
          onOpen={(batch) => open({ batch: batch.id })}
          empty={empty}
        />
      </Card>
      {opened && <BatchDrawer batch={opened} onClose={() => close("batch")} />}
      {values.new === "1" && <CreateDialog onClose={() => set({ new: undefined })} />}
    </>
  );
}

function columnsOf({ t, locale }: Speech): readonly Column<CodeBatch>[] {
  const number = (count: number) => formatNumber(count, locale);
  return [
    column("batch", t("codes.batch"), (batch) => <BatchName batch={batch} />, {
      sort: ({ note }) => note,
    }),
    moneyColumn("amount", t("codes.amount"), (row) => row.amount),
    numberColumn("redeemed", t("codes.redeemed"), (row) => row.redeemed, locale, {
      cell: ({ redeemed, count }) =>
        t("codes.redeemedOf", { redeemed: number(redeemed), count: number(count) }),
    }),
    moneyColumn("outstanding", t("codes.outstanding"), (row) => row.outstanding, { wide: true }),
    timeColumn("expires", t("codes.expires"), (row) => row.expires_at, {
      wide: true,
      as: "ahead",
      none: t("codes.never"),
    }),
    timeColumn("created", t("words.created"), (row) => row.created_at, { wide: true }),
    column("actions", t("words.actions"), (batch) => <Files batch={batch} />, { align: "right" }),
  ];
}

function BatchName({ batch }: BatchProps) {
  return (
    <span className="block min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium break-words">
        {batch.note}
        <BatchState batch={batch} />
      </span>
      <span className="block font-mono text-xs break-all text-muted">{batch.id}</span>
    </span>
  );
}

function BatchState({ batch }: BatchProps) {
  const { t } = useSpeech();
  const nowMs = useNow();
  if (batch.redeemed === batch.count) return <Badge tone="good">{t("codes.usedUp")}</Badge>;
  if (batch.redeemed + batch.revoked === batch.count) return <Badge>{t("codes.allRevoked")}</Badge>;
  const expired = batch.expires_at !== null && Date.parse(batch.expires_at) <= nowMs;
  return expired ? <Badge tone="warn">{t("codes.expired")}</Badge> : null;
}

function Files({ batch }: BatchProps) {
  const { t } = useSpeech();
  const trigger = (
    <IconButton label={t("codes.downloadOf", { name: batch.note || batch.id })}>
      <Download size={16} />
    </IconButton>
  );
  return (
    <MenuOnDemand trigger={trigger} menu={(drawn) => <FilesMenu trigger={drawn} batch={batch} />} />
  );
}
