import { LogOut, ShieldCheck, UserMinus } from "lucide-react";
import type { Member } from "../../../src/accounts/contract/members.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { DemandedMenuProps } from "../../ui/menu-on-demand.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

interface MemberMenuProps extends DemandedMenuProps {
  readonly member: Member;
  /** The visitor may make the member an operator, or end that. */
  readonly mayRule: boolean;
  readonly onLeave: () => void;
}

export function MemberMenu({ trigger, member, mayRule, onLeave }: MemberMenuProps) {
  const { t } = useSpeech();
  const { me } = useSession();
  const self = member.id === me.user.id;
  return (
    <Menu opens trigger={trigger}>
      {mayRule && <OperatorItem member={member} />}
      <MenuItem
        danger
        icon={self ? <LogOut size={15} /> : <UserMinus size={15} />}
        onSelect={onLeave}
      >
        {t(self ? "team.leave" : "team.remove")}
      </MenuItem>
    </Menu>
  );
}

function OperatorItem({ member }: { readonly member: Member }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { id, name, operator } = member;
  const change = useAction(
    () => api.patch<Member>(path(`/members/${id}`), { operator: !operator }),
    { refresh: [path("/members"), "/api/me"], done: t("team.operatorChanged", { name }) },
  );
  return (
    <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => change.run()}>
      {t(operator ? "team.unmakeOperator" : "team.makeOperator")}
    </MenuItem>
  );
}
