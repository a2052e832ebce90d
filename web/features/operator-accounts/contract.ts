import type { Decimal, Instant } from "../../lib/contract.ts";

export interface OperatorAccount {
  readonly id: string;
  readonly name: string;
  readonly operator: boolean;
  readonly enabled: boolean;
  readonly hard: boolean;
  readonly created_at: Instant;
  readonly balance: Decimal;
  readonly credited: Decimal;
  readonly charged: Decimal;
  readonly held: Decimal;
  readonly keys: number;
}

export const ACCOUNTS = "/api/operator/accounts";

/** The page of an account, for operators. */
export function homeOf(accountId: string): string {
  return `/operator/accounts/${accountId}`;
}
