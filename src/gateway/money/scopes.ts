import type { PresentedKey } from "../../accounts/account.ts";
import type { KeySpending } from "../../accounts/keys/budget.ts";
import type { Scope } from "../../admission/judge.ts";
import type { Balance } from "../../ledger/books.ts";
import type { Caller } from "../admitted-request.ts";
import type { Services } from "../services.ts";

/** The scopes of a key as admission would see them. */
export function scopesFrom(
  key: Pick<PresentedKey, "accountId">,
  balance: Balance | undefined,
  spending: Pick<KeySpending, "budgets" | "running"> | undefined,
): Scope[] {
  const scopes: Scope[] = [];
  if (balance) {
    const { credited: max, charged: used, held, running } = balance;
    scopes.push({ id: key.accountId, kind: "balance", max, used, held, running });
  }
  if (!spending) return scopes;
  const { running } = spending;
  for (const { id, amount: max, used, held } of spending.budgets) {
    scopes.push({ id, kind: "budget", max, used, held, running });
  }
  return scopes;
}

/** Those that are the key's own: its budgets, and not the balance of its account. */
export function ofKey(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter(({ kind }) => kind === "budget");
}

/** The scopes of a key as they stand now. */
export async function scopesOf(
  services: Pick<Services, "books">,
  { key, timeBudget }: Pick<Caller, "key" | "timeBudget">,
): Promise<Scope[]> {
  const [balance, spending] = await Promise.all([
    services.books.balance(key.accountId, timeBudget),
    services.books.spending(key.id, timeBudget),
  ]);
  return scopesFrom(key, balance, spending);
}
