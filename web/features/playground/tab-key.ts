import { useState } from "react";
import { useSession } from "../../lib/session.tsx";

/** Of the account it was used in. It is in memory only: a reload forgets it, and so does signing out. */
let remembered: { readonly accountId: string; readonly secret: string } | undefined;

/** The key that the visitor gave, for as long as the tab lives. */
export function useTabKey(): readonly [string, (secret: string) => void] {
  const accountId = useSession().account.id;
  const [secret, setSecret] = useState(
    remembered?.accountId === accountId ? remembered.secret : "",
  );
  const keep = (next: string) => {
    remembered = { accountId, secret: next };
    setSecret(next);
  };
  return [secret, keep];
}
