import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Member } from "../../../src/accounts/contract/members.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useSession } from "../../lib/session.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { MenuOnDemand } from "../../ui/menu-on-demand.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

const MemberMenu = lazyPart(() => import("./member-menu.tsx"), "MemberMenu");

interface MemberActionsProps {
  readonly member: Member;
  readonly housesOperators: boolean;
}

export function MemberActions({ member, housesOperators }: MemberActionsProps) {
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
      <MenuOnDemand
        trigger={trigger}
        menu={(drawn) => (
          <MemberMenu
            trigger={drawn}
            member={member}
            mayRule={me.operator && housesOperators}
            onLeave={() => setLeaving(true)}
          />
        )}
      />
      <RemoveConfirm member={member} open={leaving} onClose={() => setLeaving(false)} />
    </>
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
  const self = member.id === me.user.id;
  const remove = useAction(() => api.delete(path(`/members/${member.id}`)), {
    refresh: self ? ["/api/me"] : [path("/members")],
    onDone: () => {
      onClose();
      if (self) location.assign("/console");
    },
    done: self ? undefined : t("team.removed", { name: member.name }),
  });
  const title = self
    ? t("team.leaveTitle", { name: account.name })
    : t("team.removeTitle", { name: member.name });
  return (
    <Confirm
      open={open}
      title={title}
      action={t(self ? "team.leave" : "team.remove")}
      busy={remove.busy}
      onConfirm={() => remove.run()}
      onClose={onClose}
    >
      {t(self ? "team.leaveHint" : "team.removeHint")}
    </Confirm>
  );
}
