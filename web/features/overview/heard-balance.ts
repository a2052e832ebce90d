import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OwnMe } from "../../../src/accounts/contract/me.ts";
import { meQuery, useSession } from "../../lib/session.tsx";

/** The same answer with another balance of one account; the very same where it has that already. */
export function withBalance(me: OwnMe, accountId: string, balance: string): OwnMe {
  if (me.accounts.every((one) => one.id !== accountId || one.balance === balance)) return me;
  const accounts = me.accounts.map((one) => (one.id === accountId ? { ...one, balance } : one));
  return { ...me, accounts };
}

/** The balance beside the account's name is the one that a page has just been told. */
export function useHeardBalance(balance: string | undefined): void {
  const client = useQueryClient();
  const { id } = useSession().account;
  useEffect(() => {
    if (balance === undefined) return;
    client.setQueryData(meQuery.queryKey, (me) => me && withBalance(me, id, balance));
  }, [client, id, balance]);
}
