import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useRefresh } from "../../lib/queries.ts";
import { ACCOUNTS } from "./paths.ts";

/** Asks again for everything that shows the balance of an account; one's own stands beside its name. */
export function useAccountMoneyMoved({ id }: OperatorAccount): () => Promise<void> {
  const refresh = useRefresh();
  return () => refresh([ACCOUNTS, `/api/accounts/${id}/`, "/api/operator/audit", "/api/me"]);
}
