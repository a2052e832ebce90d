import { MessagesSquare } from "lucide-react";
import type { Member } from "../../../src/accounts/contract/members.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Why there is nothing to type into, and who can change that. */
export function NotForViewers() {
  const { t, rich } = useSpeech();
  const { path, account } = useSession();
  const members = useRows<Member>(path("/members")).data;
  const owners = members?.filter(({ role }) => role === "owner") ?? [];
  return (
    <Card flush>
      <EmptyState
        icon={<MessagesSquare size={28} />}
        title={t("playground.viewerTitle")}
        action={
          <Link to="/models" className={buttonClass("plain")}>
            {t("playground.viewerAction")}
          </Link>
        }
      >
        <p>{rich("playground.viewerHint", { account: <b>{account.name}</b> })}</p>
        {owners.length > 0 && (
          <>
            <p className="mt-3">{t("playground.viewerAsk")}</p>
            <ul className="mt-1">
              {owners.map(({ id, name, email }) => (
                <li key={id}>
                  {name && name !== email && `${name} · `}
                  <a href={`mailto:${email}`} className="text-accent hover:underline">
                    {email}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </EmptyState>
    </Card>
  );
}
