import { UserPlus } from "lucide-react";
import type { Member } from "../../../src/accounts/contract/members.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MembersCard } from "./members-card.tsx";

const InviteDialog = lazyPart(() => import("./invite-dialog.tsx"), "InviteDialog");

export function TeamPage() {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const members = useRows<Member>(path("/members"));
  const { values, set } = useFilters(["invite"]);
  const owner = may("owner");
  const invite = owner && (
    <Button kind="primary" onClick={() => set({ invite: "1" })}>
      <UserPlus size={16} />
      {t("team.invite")}
    </Button>
  );
  // Only the operator's account has members who are operators.
  const housesOperators = members.data?.some(({ operator }) => operator) ?? false;
  return (
    <>
      <PageHeader title={t("team.title")} description={t("team.description")} actions={invite} />
      <div className="flex flex-col gap-5">
        <MembersCard rows={members} invite={invite} housesOperators={housesOperators} />
        {owner && members.data && <InvitationsCard />}
      </div>
      {/* Not before it is known what can be chosen there, or the dialog would grow under the finger. */}
      {owner && members.data && values.invite === "1" && (
        <InviteDialog
          housesOperators={housesOperators}
          onClose={() => set({ invite: undefined })}
        />
      )}
    </>
  );
}
