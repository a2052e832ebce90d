import { useState } from "react";
import type { InvitationLink, OpenInvitation } from "../../../src/accounts/contract/invitations.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

const LinkDialog = lazyPart(() => import("./link-dialog.tsx"), "LinkDialog");

interface InvitationProps {
  readonly invitation: OpenInvitation;
}

export function InvitationActions({ invitation }: InvitationProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {invitation.mailed ? (
        <MailAgain invitation={invitation} />
      ) : (
        <LinkAgain invitation={invitation} />
      )}
      <Withdraw invitation={invitation} />
    </div>
  );
}

/** In a dialog and not straight to the clipboard, which browsers close while an answer is awaited. */
function LinkAgain({ invitation }: InvitationProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const [open, setOpen] = useState(false);
  const { id, email, role } = invitation;
  const close = () => setOpen(false);
  const ask = useAction(() => api.post<InvitationLink>(path(`/invitations/${id}/link`)), {
    onFailed: close,
  });
  const show = () => {
    setOpen(true);
    ask.run();
  };
  return (
    <>
      <Button size="small" aria-label={t("team.linkOf", { email })} onClick={show}>
        {t("team.linkAgain")}
      </Button>
      {open && (
        <LinkDialog
          title={t("team.linkTitle", { email })}
          description={t("team.linkAgainHint", { role: t(`team.role_${role}`) })}
          link={ask.data?.token_link}
          onClose={close}
        />
      )}
    </>
  );
}

function MailAgain({ invitation }: InvitationProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { id, email } = invitation;
  const send = useAction(() => api.post(path(`/invitations/${id}/mail`)), {
    done: t("team.mailedAgain", { email }),
  });
  return (
    <Button
      size="small"
      busy={send.busy}
      aria-label={t("team.mailAgainOf", { email })}
      onClick={() => send.run()}
    >
      {t("team.mailAgain")}
    </Button>
  );
}

function Withdraw({ invitation }: InvitationProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { id, email } = invitation;
  return (
    <Asked
      button={{ size: "small", "aria-label": t("team.withdrawOf", { email }) }}
      title={t("team.withdrawTitle")}
      action={t("team.withdraw")}
      call={() => api.delete(path(`/invitations/${id}`))}
      refresh={[path("/invitations")]}
      done={t("team.withdrawn")}
    >
      {t("team.withdrawHint", { email })}
    </Asked>
  );
}
