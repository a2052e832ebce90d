import type { BudgetTerms } from "../../accounts/keys/budget.ts";
import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import type { AccountsStore } from "../../accounts/store.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { ClosedDebit, Debit } from "../../ledger/books.ts";
import { creditedBeforeMax } from "../../ledger/credit-limit.ts";
import type { LedgerStore } from "../../ledger/store.ts";
import {
  accountCells,
  accountChangeCells,
  type Cells,
  insertText,
  newKeyCells,
  settingCells,
  updateText,
} from "../keys/key-cells.ts";
import {
  ADD_SECRET_SQL,
  CAN_REPLACE_SQL,
  DELETE_KEY_SQL,
  END_SECRETS_SQL,
  FORGET_SECRETS_SQL,
  FORMER_SECRET_KEPT_MS,
  KEEP_SECRET_SQL,
  KEYS_OF_SQL,
  LIVE_KEY_SQL,
  RESTORE_SECRET_SQL,
  SET_SECRET_SQL,
  TAKE_SECRET_SQL,
  WITHDRAW_SECRET_SQL,
} from "../keys/key-secrets.ts";
import {
  BUDGET_COLUMNS,
  type BudgetCells,
  budgetCells,
  changedBudgets,
  readBudget,
  USED_IN_SQL,
  windowsOpened,
} from "../money/budget-rows.ts";
import { GIVE_BACK_SQL, GIVEN_BACK_SQL } from "../money/given-back.ts";
import { windowName } from "./batches/facts.ts";
import { type Connections, NOW_MS_SQL, type Run } from "./connections.ts";
import { seenByAll } from "./key-lookups.ts";

async function insert(run: Run, table: string, cells: Cells): Promise<void> {
  await run(insertText(table, cells), Object.values(cells));
}

/**
 * The scope before the key, as money batches do, or the two could wait for each other. Undefined when there
 * is no such key, or none any more.
 */
async function lockKey(run: Run, id: string): Promise<{ readonly hash: string } | undefined> {
  await run("select 1 from scopes where id = $1 and kind = 'key' for update", [id]);
  const [key] = await run<{ hash: string }>(LIVE_KEY_SQL, [id]);
  return key;
}

/** With the scope of the key locked: whoever turns a budget has locked it too. */
async function setBudgets(run: Run, keyId: string, wanted: readonly BudgetTerms[]): Promise<void> {
  const [state] = await run<{ used: bigint; now_ms: bigint }>(
    `select used, ${NOW_MS_SQL} as now_ms from scopes where id = $1`,
    [keyId],
  );
  if (!state) throw new Error(`key ${keyId} has no sums`);
  const text = `select ${BUDGET_COLUMNS} from budgets where key_id = $1`;
  const current = (await run<BudgetCells>(text, [keyId])).map(readBudget);
  const atMs = Number(state.now_ms);
  const used = new Map<string, bigint>();
  for (const window of windowsOpened(current, wanted, atMs)) {
    const { startMs, endMs } = window;
    const [row] = await run<{ used: string }>(USED_IN_SQL, [keyId, startMs, endMs]);
    used.set(windowName(keyId, window), BigInt(row?.used ?? 0));
  }
  const usedIn = (window: BudgetWindow) => used.get(windowName(keyId, window)) ?? 0n;
  const [back] = await run<{ amount: string }>(GIVEN_BACK_SQL, [keyId]);
  const givenBack = BigInt(back?.amount ?? 0);
  const rows = changedBudgets(current, wanted, { used: state.used, givenBack, atMs, usedIn });
  await run("delete from budgets where key_id = $1", [keyId]);
  for (const row of rows) await insert(run, "budgets", budgetCells(keyId, row));
}

/** Changes rows of one account, in a transaction. */
export type Change = <T>(work: (run: Run) => Promise<T>) => Promise<T>;

/**
 * What changes an account waits for rows that somebody else has locked no longer than `lockedMs`: whoever waits has
 * one of the few connections, which everybody is looked up by.
 */
export function changing(connections: Connections, lockedMs: number): Change {
  return (work) =>
    connections.transaction(async (run) => {
      await run(`set local lock_timeout = '${lockedMs}ms'`, []);
      return work(run);
    });
}

/** The same of what requests are let in by: what came of it, also before, is told when all processes see it. */
function changingForAll(change: Change): Change {
  return async (work) => {
    const changed = await change(work);
    await seenByAll();
    return changed;
  };
}

type AccountReads = keyof Pick<
  AccountsStore,
  | "findKey"
  | "findAccount"
  | "operatorAccount"
  | "isUnused"
  | "listAccounts"
  | "listKeys"
  | "describeKey"
>;

/** Changes to accounts and keys: rare, each a transaction of its own. */
export function accountChanges(change: Change): Omit<AccountsStore, AccountReads> {
  const changeForAll = changingForAll(change);
  return {
    ...secretChanges(change),
    createAccount(account) {
      const { id } = account;
      return change(async (run) => {
        await insert(run, "accounts", accountCells(account));
        await insert(run, "scopes", { id, account_id: id, kind: "balance", max: 0 });
      });
    },

    updateAccount(id, changes) {
      return changeForAll(async (run) => {
        if ((await run("select 1 from accounts where id = $1", [id])).length === 0) return false;
        const cells = accountChangeCells(changes);
        if (Object.keys(cells).length > 0) {
          await run(updateText("accounts", cells), [...Object.values(cells), id]);
        }
        return true;
      });
    },

    createKey(key, keysMax = Number.MAX_SAFE_INTEGER) {
      const { id, accountId: account_id } = key;
      return change(async (run) => {
        // Locked, so that of two keys of one account the second counts the first.
        const text = "select 1 from accounts where id = $1 for no key update";
        if ((await run(text, [account_id])).length === 0) return false;
        const [count] = await run<{ n: bigint }>(KEYS_OF_SQL, [account_id]);
        if (Number(count?.n) >= keysMax) return "too_many";
        await insert(run, "keys", newKeyCells(key));
        await insert(run, "scopes", { id, account_id, key_id: id, kind: "key" });
        await setBudgets(run, id, key.budgets);
        return true;
      });
    },

    updateKey(id, changes) {
      return changeForAll(async (run) => {
        if (!(await lockKey(run, id))) return false;
        const cells = settingCells(changes);
        if (Object.keys(cells).length > 0) {
          await run(updateText("keys", cells), [...Object.values(cells), id]);
        }
        if (changes.budgets !== undefined) await setBudgets(run, id, changes.budgets);
        return true;
      });
    },

    deleteKey(id, nowMs) {
      return changeForAll(async (run) => {
        if (!(await lockKey(run, id))) return false;
        await run(DELETE_KEY_SQL, [nowMs, id]);
        return true;
      });
    },
  };
}

/** How the secrets of a key change. */
function secretChanges(
  change: Change,
): Pick<AccountsStore, "addSecret" | "replaceSecret" | "withdrawSecret" | "endFormerSecrets"> {
  const changeForAll = changingForAll(change);
  return {
    addSecret(id, { hash, lastFour }, endsAtMs) {
      return change(async (run) => {
        const key = await lockKey(run, id);
        if (key) await run(ADD_SECRET_SQL, [endsAtMs, hash, id, lastFour]);
        return key?.hash;
      });
    },

    replaceSecret({ keyId, from, to }, formerEndsAtMs) {
      return changeForAll(async (run) => {
        if (!(await lockKey(run, keyId))) return false;
        if ((await run(CAN_REPLACE_SQL, [keyId, from, to.hash])).length === 0) return false;
        const [clock] = await run<{ now_ms: bigint }>(`select ${NOW_MS_SQL} as now_ms`, []);
        const endedMs = Number(clock?.now_ms ?? 0) - FORMER_SECRET_KEPT_MS;
        await run(FORGET_SECRETS_SQL, [keyId, endedMs]);
        await run(TAKE_SECRET_SQL, [to.hash]);
        await run(KEEP_SECRET_SQL, [formerEndsAtMs, keyId]);
        await run(SET_SECRET_SQL, [to.hash, to.lastFour, keyId]);
        return true;
      });
    },

    async withdrawSecret({ keyId, from, to }) {
      await changeForAll(async (run) => {
        await lockKey(run, keyId);
        await run(RESTORE_SECRET_SQL, [keyId, from, to.hash]);
        await run(WITHDRAW_SECRET_SQL, [keyId, to.hash]);
      });
    },

    async endFormerSecrets(id, nowMs) {
      await changeForAll((run) => run(END_SECRETS_SQL, [nowMs, id]));
    },
  };
}

/**
 * The balance is locked first, so that of two with the same id the second sees what the first has done. What the entry of
 * this id took: nothing where the id is closed, undefined where there is no entry.
 */
async function debited(run: Run, { id, accountId }: ClosedDebit): Promise<NanoUsd | undefined> {
  await run("select 1 from scopes where id = $1 for update", [accountId]);
  const [entry] = await run<{ amount: bigint }>("select amount from entries where ref = $1", [id]);
  return entry?.amount;
}

async function enterDebit(run: Run, debit: Debit): Promise<void> {
  const { id, accountId, kind, amount, note, createdAtMs } = debit;
  await run(
    `insert into entries (account_id, kind, amount, ref, note, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [accountId, kind, amount, id, note, createdAtMs],
  );
}

const LOCK_BOTH_SQL = "select 1 from scopes where id in ($1, $2) order by id for update";

/** Money that comes and goes without a request: as rare, and apart in the same way. */
export function creditChanges(
  change: Change,
): Pick<LedgerStore, "credit" | "debit" | "closeDebit"> {
  return {
    credit(credit) {
      const { id, accountId, kind, amount, note, createdAtMs, charge } = credit;
      const { keyId, requestId } = charge ?? { keyId: null, requestId: null };
      return change(async (run) => {
        // In the order in which money batches do, where budgets change too.
        if (charge) await run(LOCK_BOTH_SQL, [accountId, keyId]);
        const inserted = await run(
          `insert into entries (account_id, key_id, kind, amount, hold_id, ref, note, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (ref) where ref is not null do nothing`,
          [accountId, keyId, kind, amount, requestId, id, note, createdAtMs],
        );
        if (inserted.count === 0) return false;
        const raised = await run("update scopes set max = max + $1 where id = $2 and max <= $3", [
          amount,
          accountId,
          creditedBeforeMax(credit),
        ]);
        if (raised.count === 0) throw new Error(`account ${accountId} can take no such credit`);
        if (charge) await run(GIVE_BACK_SQL, [amount, keyId, requestId]);
        return true;
      });
    },

    debit(debit) {
      const { accountId, amount } = debit;
      return change(async (run) => {
        const before = await debited(run, debit);
        if (before !== undefined) return before > 0n ? "already" : "short";
        const taken = await run(
          `update scopes set max = max - $1
           where id = $2 and kind = 'balance' and max - used - held >= $1`,
          [amount, accountId],
        );
        if (taken.count === 0) return "short";
        await enterDebit(run, debit);
        return "done";
      });
    },

    closeDebit(closed) {
      return change(async (run) => {
        const before = await debited(run, closed);
        if (before === undefined) await enterDebit(run, { ...closed, amount: 0n });
        return before ?? 0n;
      });
    },
  };
}
