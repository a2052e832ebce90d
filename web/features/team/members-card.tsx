import { Users } from "lucide-react";
import type { ReactNode } from "react";
import type { Member } from "../../../src/accounts/contract/members.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import type { Rows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/select.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { Address } from "../../ui/tables/name.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { MemberActions } from "./member-actions.tsx";
import { ROLES } from "./roles.ts";

interface MembersCardProps {
  readonly rows: Rows<Member>;
  readonly invite: ReactNode;
  readonly housesOperators: boolean;
}

export function MembersCard({ rows, invite, housesOperators }: MembersCardProps) {
  const { t } = useSpeech();
  const columns = useColumns(columnsOf, housesOperators);
  const empty = (
    <EmptyState icon={<Users size={28} />} title={t("team.empty")} action={invite}>
      {t("team.emptyHint")}
    </EmptyState>
  );
  return (
    <Card flush>
      <DataTable
        label={t("team.members")}
        columns={columns}
        rows={rows}
        empty={empty}
        skeletonRows={3}
      />
    </Card>
  );
}

function columnsOf({ t }: Speech, housesOperators: boolean): readonly Column<Member>[] {
  return [
    column("person", t("team.person"), (member) => <Person member={member} />, {
      sort: ({ name }) => name,
    }),
    column("role", t("team.role"), (member) => <RoleOf member={member} />, {
      sort: ({ role }) => ROLES.indexOf(role),
    }),
    column(
      "factor",
      t("team.twoFactor"),
      (member) =>
        member.two_factor ? (
          <Badge tone="good">{t("words.on")}</Badge>
        ) : (
          <Badge>{t("words.off")}</Badge>
        ),
      { wide: true, sort: ({ two_factor }) => Number(two_factor) },
    ),
    timeColumn("joined", t("team.joined"), (row) => row.joined_at, { wide: true, as: "date" }),
    {
      id: "actions",
      header: t("words.actions"),
      align: "right",
      cell: (member) => <MemberActions member={member} housesOperators={housesOperators} />,
    },
  ];
}

function Person({ member }: { readonly member: Member }) {
  const { t } = useSpeech();
  const { me } = useSession();
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium break-words">
        {member.name}
        {member.id === me.user.id && <Badge>{t("team.you")}</Badge>}
        {member.operator && <Badge tone="accent">{t("team.operator")}</Badge>}
      </p>
      <Address text={member.email} className="text-[13px] text-muted" />
    </div>
  );
}

/** Owners choose it; everybody else reads it. */
function RoleOf({ member }: { readonly member: Member }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const change = useAction(
    (role: Member["role"]) => api.patch<Member>(path(`/members/${member.id}`), { role }),
    {
      // The visitor's own role may be the one that changes.
      refresh: [path("/members"), "/api/me"],
      done: t("team.roleChanged", { name: member.name }),
    },
  );
  if (!may("owner")) return t(`team.role_${member.role}`);
  return (
    <Select
      className="w-28 sm:w-32"
      label={t("team.roleOf", { name: member.name })}
      value={member.role}
      disabled={change.unseen}
      choices={ROLES.map((value) => ({ value, label: t(`team.role_${value}`) }))}
      onChange={(role) => role !== member.role && change.run(role)}
    />
  );
}
