export const ACCOUNTS = "/api/operator/accounts";

/** The page of an account, for operators. */
export function homeOf(accountId: string): string {
  return `/operator/accounts/${accountId}`;
}
