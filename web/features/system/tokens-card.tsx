import { KeySquare, Plus } from "lucide-react";
import { useState } from "react";
import type { OperatorToken } from "../../../src/accounts/contract/operators.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { TOKENS } from "./choices.ts";

const TokenDialog = lazyPart(() => import("./token-dialog.tsx"), "TokenDialog");

export function TokensCard() {
  const { t } = useSpeech();
  const rows = useRows<OperatorToken>(TOKENS);
  const columns = useColumns(columnsOf);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button size="small" onClick={() => setCreating(true)}>
      <Plus size={15} />
      {t("system.tokenCreate")}
    </Button>
  );
  const empty = (
    <EmptyState icon={<KeySquare size={28} />} title={t("system.tokensEmpty")} action={create}>
      {t("system.tokensEmptyHint")}
    </EmptyState>
  );
  return (
    <Card flush title={t("system.tokens")} action={create}>
      <p className="px-5 pb-3 text-[13px] text-muted">{t("system.tokensHint")}</p>
      <DataTable
        label={t("system.tokens")}
        columns={columns}
        rows={rows}
        skeletonRows={2}
        empty={empty}
      />
      {creating && <TokenDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}

function columnsOf({ t }: Speech): readonly Column<OperatorToken>[] {
  return [
    {
      id: "name",
      header: t("words.name"),
      sort: ({ name }) => name,
      cell: ({ name, last_four }) => (
        <div className="min-w-0">
          <p className="font-medium break-words">{name}</p>
          <p className="font-mono text-xs text-muted">…{last_four}</p>
        </div>
      ),
    },
    column(
      "by",
      t("system.tokenBy"),
      ({ created_by }) => <span className="break-all">{created_by}</span>,
      { sort: ({ created_by }) => created_by, wide: true },
    ),
    timeColumn("created", t("words.created"), (row) => row.created_at, {
      wide: true,
      as: "date",
    }),
    timeColumn("used", t("system.tokenUsed"), (row) => row.last_used_at, {
      none: t("words.never"),
    }),
    column("actions", t("words.actions"), (token) => <Revoke token={token} />, { align: "right" }),
  ];
}

function Revoke({ token }: { readonly token: OperatorToken }) {
  const { t } = useSpeech();
  const { id, name } = token;
  return (
    <Asked
      button={{ size: "small", "aria-label": t("system.tokenRevokeOf", { name }) }}
      title={t("system.tokenRevokeTitle", { name })}
      action={t("system.tokenRevoke")}
      call={() => api.delete(`${TOKENS}/${id}`)}
      refresh={[TOKENS]}
      done={t("system.tokenRevoked", { name })}
    >
      {t("system.tokenRevokeHint")}
    </Asked>
  );
}
