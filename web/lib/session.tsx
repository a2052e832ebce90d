import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { AccountSummary, OwnMe } from "../../src/accounts/contract/me.ts";
import type { Role } from "../../src/accounts/contract/members.ts";
import { ApiError, api } from "./api.ts";
import { onSignedOut } from "./auth/signed-out.ts";
import { readTabSetting, writeTabSetting } from "./settings.ts";

const ORDER: readonly Role[] = ["viewer", "member", "owner"];

export const meQuery = queryOptions({
  queryKey: ["/api/me"],
  queryFn: () => api.get<OwnMe>("/api/me"),
});

interface Session {
  readonly me: OwnMe;
  readonly account: AccountSummary;
  /** Whether the visitor may do what this role may, in this account. */
  readonly may: (least: Role) => boolean;
  /** A path of the API below this account: `path("/keys")`. */
  readonly path: (rest: string) => string;
  readonly choose: (accountId: string) => void;
  /** Where a page of this account is: as it is named, or below the account that an operator looks at. */
  readonly place: (to: string) => string;
}

const SessionContext = createContext<Session | undefined>(undefined);

const NOWHERE: AccountSummary = { id: "none", name: "", role: "viewer", balance: "0" };

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("SessionProvider is missing");
  return session;
}

/** Whether the session has ended since the page was opened. */
export function useSignedOut(): boolean {
  const { error } = useQuery(meQuery);
  return error instanceof ApiError && error.status === 401;
}

/** The visitor's time zone: the one that was set, or the browser's. */
export function useTimeZone(): string {
  const zone = use(SessionContext)?.me.user.time_zone;
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Pages of an account that operators have of every account. */
const PLACED = /^\/(?:(?:keys|usage|requests|wallet|team|drafts)(?:\/.*)?)?$/;

/** The address of a page from here. Links of pages that need no session are as they are named. */
export function usePlace(): (to: string) => string {
  return use(SessionContext)?.place ?? ((to) => to);
}

interface AccountScopeProps {
  readonly account: AccountSummary;
  /** The page of the account, below which its others are. */
  readonly home: string;
  readonly children: ReactNode;
}

/** Shows the pages of another account to an operator: what they ask for and lead to is that account's. */
export function AccountScope({ account, home, children }: AccountScopeProps) {
  const outer = useSession();
  const session = useMemo(
    () => ({
      ...outer,
      account,
      path: (rest: string) => `/api/accounts/${account.id}${rest}`,
      place: (to: string) => (PLACED.test(to) ? `${home}${to === "/" ? "" : to}` : to),
    }),
    [outer, account, home],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const client = useQueryClient();
  // Whoever is told that nobody is signed in asks who is: this may be an answer of before.
  useEffect(
    () => onSignedOut(() => void client.invalidateQueries(meQuery, { cancelRefetch: false })),
    [client],
  );
  const [accountId, setAccountId] = useState(() => readTabSetting("account"));
  const choose = useCallback(
    (id: string) => {
      writeTabSetting("account", id);
      setAccountId(id);
      // Nothing of the other account may stay on the page.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "/api/me" });
    },
    [client],
  );
  const session = useMemo(() => {
    const { accounts } = me;
    const account = accounts.find(({ id }) => id === accountId) ?? accounts[0] ?? NOWHERE;
    const rank = me.operator ? ORDER.length : ORDER.indexOf(account.role);
    return {
      me,
      account,
      choose,
      may: (least: Role) => rank >= ORDER.indexOf(least),
      path: (rest: string) => `/api/accounts/${account.id}${rest}`,
      place: (to: string) => to,
    };
  }, [me, accountId, choose]);
  return <SessionContext value={session}>{children}</SessionContext>;
}
