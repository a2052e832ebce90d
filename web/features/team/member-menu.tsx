import { Ellipsis, LogOut, ShieldCheck, UserMinus } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useChange } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { Member } from "./contract.ts";

interface MemberMenuProps {
  readonly member: Member;
  readonly housesOperators: boolean;
}

export function MemberMenu({ member, housesOperators }: MemberMenuProps) {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const [leaving, setLeaving] = useState(false);
  const self = member.id === me.user.id;
  if (!self && !may("owner")) return null;
  const trigger = (
    <IconButton label={t("team.moreOf", { name: member.name })}>
      <Ellipsis size={16} />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={trigger}>
        {me.operator && housesOperators && <OperatorItem member={member} />}
        <MenuItem
          danger
          icon={self ? <LogOut size={15} /> : <UserMinus size={15} />}
          onSelect={() => setLeaving(true)}
        >
          {t(self ? "team.leave" : "team.remove")}
        </MenuItem>
      </Menu>
      <RemoveConfirm member={member} open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

function OperatorItem({ member }: { readonly member: Member }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const toast = useToast();
  const change = useChange(
    (operator: boolean) => api.patch<Member>(path(`/members/${member.id}`), { operator }),
    {
      refresh: [path("/members"), "/api/me"],
      onDone: () => toast.done(t("team.operatorChanged", { name: member.name })),
    },
  );
  return (
    <MenuItem
      icon={<ShieldCheck size={15} />}
      onSelect={() => change.mutate(!member.operator, { onError: toast.failed })}
    >
      {t(member.operator ? "team.unmakeOperator" : "team.makeOperator")}
    </MenuItem>
  );
}

interface RemoveConfirmProps {
  readonly member: Member;
  readonly open: boolean;
  readonly onClose: () => void;
}

function RemoveConfirm({ member, open, onClose }: RemoveConfirmProps) {
  const { t } = useSpeech();
  const { me, account, path } = useSession();
  const toast = useToast();
  const self = member.id === me.user.id;
  const remove = useChange(() => api.delete(path(`/members/${member.id}`)), {
    refresh: self ? ["/api/me"] : [path("/members")],
    onDone: () => {
      onClose();
      if (self) location.assign("/console");
      else toast.done(t("team.removed", { name: member.name }));
    },
  });
  const title = self
    ? t("team.leaveTitle", { name: account.name })
    : t("team.removeTitle", { name: member.name });
  return (
    <Confirm
      open={open}
      title={title}
      action={t(self ? "team.leave" : "team.remove")}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onError: toast.failed })}
      onClose={onClose}
    >
      {t(self ? "team.leaveHint" : "team.removeHint")}
    </Confirm>
  );
}
