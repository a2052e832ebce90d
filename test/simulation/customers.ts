import type { BudgetTerms } from "../../src/accounts/keys/budget.ts";
import { hashSecret } from "../../src/accounts/keys/secret.ts";
import type { Dice } from "./dice.ts";
import type { SimStore } from "./store.ts";

export interface Customer {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
  readonly credited: bigint;
  readonly budgets: readonly BudgetTerms[];
  /** The balance may go so far below zero. */
  readonly overdraft: bigint;
  /** Its budgets must not be passed. */
  readonly hard: boolean;
}

/** A thousandth of a dollar, about what one request costs here. */
const MILL = 1_000_000n;

const OPEN_KEY = {
  name: "k",
  lastFour: "cret",
  enabled: true,
  expiresAtMs: null,
  models: null,
  networks: null,
  accountRead: false,
  createdAtMs: 0,
  lastUsedAtMs: null,
  deletedAtMs: null,
  secretEndsAtMs: null,
} as const;

/** Most keys have none, some have one for all time, for the day or for both. */
function drawBudgets(dice: Dice): BudgetTerms[] {
  const amount = () => BigInt(dice.between(1, 30)) * MILL;
  const budgets: BudgetTerms[] = [];
  if (dice.chance(0.4)) budgets.push({ amount: amount(), period: "total", timeZone: "UTC" });
  if (dice.chance(0.3)) {
    const period = dice.pick(["day", "week", "month"] as const);
    budgets.push({ amount: amount(), period, timeZone: "Asia/Shanghai" });
  }
  return budgets;
}

/** A few accounts with little money, each with a few keys, some with limits of their own. */
export async function createCustomers(store: SimStore, dice: Dice): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let a = 0; a < 4; a++) {
    const accountId = `acct_${a}`;
    const account = { id: accountId, name: "a", operator: false, enabled: true, createdAtMs: 0 };
    const overdraft = dice.chance(0.25) ? BigInt(dice.between(1, 200)) * MILL : 0n;
    const accountHard = dice.chance(0.25);
    await store.accounts.createAccount({ ...account, hard: accountHard, overdraft });
    const credited = BigInt(dice.between(3, dice.chance(0.5) ? 40 : 4_000)) * MILL;
    const credit = {
      accountId,
      amount: credited,
      kind: "topup",
      note: "",
      createdAtMs: 0,
    } as const;
    await store.ledger.credit({ ...credit, id: `top_${a}` });
    for (let k = dice.between(1, 3); k > 0; k--) {
      const keyId = `key_${a}_${k}`;
      const secret = `${keyId}-secret`;
      const hard = dice.chance(0.2);
      const budgets = drawBudgets(dice);
      await store.accounts.createKey({
        ...OPEN_KEY,
        id: keyId,
        accountId,
        hash: hashSecret(secret),
        budgets,
        requestsPerMinute: dice.chance(0.15) ? 12 : 0,
        tokensPerMinute: dice.chance(0.1) ? 4_000 : 0,
        concurrency: dice.chance(0.15) ? 3 : 0,
        hard,
        showCost: dice.chance(0.5),
      });
      const isHard = hard || accountHard;
      customers.push({ accountId, keyId, secret, credited, overdraft, budgets, hard: isHard });
    }
  }
  return customers;
}
