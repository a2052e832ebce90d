import type { OpenInvitation } from "../../../src/accounts/contract/invitations.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { Address } from "../../ui/tables/name.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { InvitationActions } from "./invitation-actions.tsx";

/** Those who were asked and have not come yet; nothing where there are none. */
export function InvitationsCard() {
  const { t } = useSpeech();
  const { path } = useSession();
  const rows = useRows<OpenInvitation>(path("/invitations"));
  const columns = useColumns(columnsOf);
  if (!rows.error && !rows.data?.length) return null;
  return (
    <Card flush title={t("team.invitations")}>
      <DataTable label={t("team.invitations")} columns={columns} rows={rows} empty={null} />
    </Card>
  );
}

function columnsOf({ t }: Speech): readonly Column<OpenInvitation>[] {
  return [
    {
      id: "email",
      header: t("team.email"),
      sort: ({ email }) => email,
      cell: ({ email, role, operator }) => (
        <div className="min-w-0">
          <Address text={email} className="font-medium" />
          <p className="flex flex-wrap items-center gap-2 text-[13px] text-muted">
            {t(`team.role_${role}`)}
            {operator && <Badge tone="accent">{t("team.operator")}</Badge>}
          </p>
        </div>
      ),
    },
    {
      id: "by",
      header: t("team.invitedBy"),
      wide: true,
      cell: ({ invited_by }) => <Address text={invited_by} />,
    },
    timeColumn("expires", t("team.expires"), (row) => row.expires_at, { as: "ahead" }),
    {
      id: "actions",
      header: t("words.actions"),
      align: "right",
      cell: (invitation) => <InvitationActions invitation={invitation} />,
    },
  ];
}
