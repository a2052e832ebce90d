import type { Account, NewKey, PresentedKey } from "../../src/accounts/account.ts";
import type { KeySpending } from "../../src/accounts/keys/budget.ts";
import type { Scope } from "../../src/admission/judge.ts";
import type { Balance, Credit } from "../../src/ledger/books.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { StorageError } from "../../src/lib/faults.ts";
import { type BudgetRow, standing } from "../../src/store/money/budget-rows.ts";
import { MoneyBatch } from "../../src/store/money/money-batch.ts";
import { MoneyQueue } from "../../src/store/money/money-queue.ts";
import type { Operation, OperationResult } from "../../src/store/money/operations.ts";
import {
  type Cell,
  RECEIPT_COLUMNS,
  type ReceiptColumn,
  readReceipt,
} from "../../src/store/rows.ts";
import { MemoryRows } from "./memory-rows.ts";
import type { Books, SimStore } from "./store.ts";
import type { Weather } from "./weather.ts";

function receiptOf(cells: readonly Cell[]): Receipt {
  const named = RECEIPT_COLUMNS.map((column, i) => [column, cells[i]]);
  return readReceipt(Object.fromEntries(named) as Record<ReceiptColumn, Cell>);
}

/**
 * A store without a database, and so without any time of its own. How money is held and settled is
 * not its doing: it is the batch, the book of scopes and the queue that real databases work with.
 */
export class MemoryStore {
  readonly #rows = new MemoryRows();
  readonly #keys = new Map<string, PresentedKey>();
  readonly #accounts = new Map<string, Account>();
  readonly #creditIds = new Set<string>();
  readonly #clock: Clock;
  readonly #weather: Weather;

  constructor(clock: Clock, weather: Weather) {
    this.#clock = clock;
    this.#weather = weather;
  }

  open(): SimStore {
    const queue = new MoneyQueue((batch) => this.#write(batch));
    return {
      accounts: {
        findKey: (hash) => this.#keys.get(hash),
        createAccount: async (account) => {
          this.#accounts.set(account.id, account);
          this.#rows.addScope(account.id, "balance", 0n);
        },
        createKey: async (key) => this.#createKey(key),
      },
      admission: queue,
      ledger: {
        settle: (settlement) => queue.settle(settlement),
        deny: () => {},
        withdraw: (requestId) => queue.withdraw(requestId),
        refuse: (receipt, count) => queue.refuse(receipt, count),
        credit: async (credit) => this.#credit(credit),
        debit: async () => "short",
        closeDebit: async () => 0n,
        accountOfEntry: async () => undefined,
        balance: async (id) => this.#balance(id),
        spending: async (id) => this.#spending(id),
        findReceipt: async (id) => {
          this.#weather.check();
          return this.#receipt(id);
        },
        usage: async () => [],
        recover: async () => [],
        verify: () => Promise.reject(new Error("there is no file to verify")),
      },
      close: async () => {},
    };
  }

  /** What is in the books, as it stands now. */
  books(): Books {
    const rows = this.#rows;
    return {
      receipt: (id) => this.#receipt(id),
      isHeld: (id) => rows.holds.has(id),
      scopes: (accountId, keyId) => this.#scopes(accountId, keyId),
      problems: () => problemsOf(rows),
      receipts: () => [...rows.receipts.values()].map(receiptOf),
      end: (id) => {
        const entry = rows.entries.find(({ hold }) => hold.id === id);
        return entry && { atMs: entry.createdAtMs, held: entry.hold.amount };
      },
      ids: () => [...rows.receipts.keys()],
    };
  }

  #createKey(key: NewKey): boolean {
    const account = this.#accounts.get(key.accountId);
    if (!account) return false;
    const { hash, budgets, ...shown } = key;
    const { enabled, hard, overdraft, operator } = account;
    const inputLoss = this.#rows.inputLossOf(account.id);
    const owner = { accountEnabled: enabled, accountHard: hard, overdraft, operator, inputLoss };
    this.#keys.set(hash, { ...shown, ...owner, secretEndsAtMs: null });
    this.#rows.addScope(key.id, "key", null);
    this.#rows.addBudgets(key.id, budgets, this.#clock());
    return true;
  }

  #credit({ id, accountId, amount }: Credit): boolean {
    const row = this.#rows.scopeRows.get(accountId);
    if (!row) throw new Error(`no account ${accountId}`);
    if (this.#creditIds.has(id)) return false;
    this.#creditIds.add(id);
    row.max = (row.max ?? 0n) + amount;
    return true;
  }

  #receipt(id: string): Receipt | undefined {
    const row = this.#rows.receipts.get(id);
    return row && receiptOf(row);
  }

  #balance(id: string): Balance | undefined {
    this.#weather.check();
    const row = this.#rows.scopeRows.get(id);
    if (!row) return undefined;
    const { max, used: charged, held, running } = row;
    return { credited: max ?? 0n, charged, held, running, trialOnly: false };
  }

  #spending(id: string): KeySpending | undefined {
    const row = this.#rows.scopeRows.get(id);
    if (!row) return undefined;
    const nowMs = this.#clock();
    const budgets = this.#rows.budgets(id).map((budget) => {
      return standing(budget, row, nowMs, (window) => this.#rows.usedIn(id, window));
    });
    return { used: row.used, held: row.held, running: row.running, budgets };
  }

  #scopes(accountId: string, keyId: string): Scope[] {
    const balance = this.#rows.scopeRows.get(accountId);
    const scopes: Scope[] = [];
    if (balance) scopes.push({ ...balance, kind: "balance", max: balance.max ?? 0n });
    const running = this.#rows.scopeRows.get(keyId)?.running ?? 0n;
    for (const { id, amount, used, held } of this.#spending(keyId)?.budgets ?? []) {
      scopes.push({ id, kind: "budget", max: amount, used, held, running });
    }
    return scopes;
  }

  async #write(batch: readonly Operation[]): Promise<(OperationResult | Error)[]> {
    await this.#weather.pass();
    const results = this.#run(batch);
    // A lost reply of an admission would be taken back by the store itself; of all else, by nobody.
    if (batch.every(({ kind }) => kind !== "admit")) this.#weather.reply();
    return results;
  }

  #run(batch: readonly Operation[]): (OperationResult | Error)[] {
    try {
      const results = new MoneyBatch(this.#rows, "simulation", this.#clock()).run(batch);
      this.#rows.keep();
      return results;
    } catch (thrown) {
      this.#rows.takeBack();
      if (batch.length === 1) return [StorageError.from(thrown)];
      return batch.flatMap((op) => this.#run([op]));
    }
  }
}

/** Every sum of the books that is not the sum of its parts. */
function problemsOf(rows: MemoryRows): string[] {
  const used = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  const running = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, id: string, amount: bigint) =>
    sums.set(id, (sums.get(id) ?? 0n) + amount);
  for (const { hold, amount } of rows.entries) {
    add(used, hold.account_id, amount);
    add(used, hold.key_id, amount);
  }
  for (const hold of rows.holds.values()) {
    for (const id of [hold.account_id, hold.key_id]) {
      add(held, id, hold.amount);
      if (hold.amount > 0n) add(running, id, 1n);
    }
  }
  const problems = [...rows.budgetRows].flatMap(([keyId, budgets]) =>
    budgets.flatMap((budget) => windowProblems(rows, keyId, budget)),
  );
  for (const scope of rows.scopeRows.values()) {
    const spent = used.get(scope.id) ?? 0n;
    const kept = held.get(scope.id) ?? 0n;
    if (scope.used !== spent) problems.push(`${scope.id} used ${scope.used}, posts say ${spent}`);
    if (scope.held !== kept) problems.push(`${scope.id} holds ${scope.held}, holds say ${kept}`);
    const open = running.get(scope.id) ?? 0n;
    if (scope.running !== open)
      problems.push(`${scope.id} runs ${scope.running}, holds say ${open}`);
  }
  return problems;
}

/** A budget has used what was posted since its window began. */
function windowProblems(rows: MemoryRows, keyId: string, budget: BudgetRow): string[] {
  const posted = rows.entries
    .filter(({ hold, createdAtMs }) => hold.key_id === keyId && createdAtMs >= budget.windowStartMs)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const used = (rows.scopeRows.get(keyId)?.used ?? 0n) - budget.base;
  return used === posted ? [] : [`${budget.id} used ${used}, posts of its window say ${posted}`];
}
