import { createContext, use } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";

export const AccountContext = createContext<OperatorAccount | undefined>(undefined);

/** The account whose pages an operator looks at. */
export function useAccountInView(): OperatorAccount {
  const account = use(AccountContext);
  if (!account) throw new Error("AccountFrame is missing");
  return account;
}
