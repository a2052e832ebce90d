import type { Database } from "bun:sqlite";
import type {
  Account,
  AccountChanges,
  KeptSecret,
  KeyChanges,
  NewKey,
  SecretExchange,
} from "../../accounts/account.ts";
import type { BudgetTerms } from "../../accounts/keys/budget.ts";
import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { ClosedDebit, Credit, Debit } from "../../ledger/books.ts";
import { creditedBeforeMax } from "../../ledger/credit-limit.ts";
import type { Clock } from "../../lib/clock.ts";
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
} from "../money/budget-rows.ts";
import { GIVE_BACK_SQL, GIVEN_BACK_SQL } from "../money/given-back.ts";
import type { Cell } from "../rows.ts";

/** Changes to accounts, keys and credits: rare, each a transaction of its own. */
export class AccountsWriter {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #settleUp: () => void;

  /** `settleUp` brings into the rows whatever has been settled. */
  constructor(db: Database, clock: Clock, settleUp: () => void) {
    this.#db = db;
    this.#clock = clock;
    this.#settleUp = settleUp;
  }

  #run(sql: string, ...values: Cell[]): number {
    return this.#db.query(sql).run(...values).changes;
  }

  #rows<T>(sql: string, ...values: Cell[]): T[] {
    return this.#db
      .query<T, Cell[]>(sql)
      .safeIntegers(true)
      .all(...values);
  }

  #insert(table: string, cells: Cells): void {
    this.#run(insertText(table, cells), ...Object.values(cells));
  }

  #transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  createAccount(account: Account): void {
    const { id } = account;
    this.#transaction(() => {
      this.#insert("accounts", accountCells(account));
      this.#insert("scopes", { id, account_id: id, kind: "balance", max: 0 });
    });
  }

  updateAccount(id: string, changes: AccountChanges): boolean {
    return this.#transaction(() => {
      if (!this.#db.query("select 1 from accounts where id = ?").get(id)) return false;
      const cells = accountChangeCells(changes);
      if (Object.keys(cells).length > 0) {
        this.#run(updateText("accounts", cells), ...Object.values(cells), id);
      }
      return true;
    });
  }

  createKey(key: NewKey, keysMax = Number.MAX_SAFE_INTEGER): boolean | "too_many" {
    const { id, accountId: account_id } = key;
    return this.#transaction(() => {
      if (!this.#db.query("select 1 from accounts where id = ?").get(account_id)) return false;
      const [count] = this.#rows<{ n: bigint }>(KEYS_OF_SQL, account_id);
      if (Number(count?.n) >= keysMax) return "too_many";
      this.#insert("keys", newKeyCells(key));
      this.#insert("scopes", { id, account_id, key_id: id, kind: "key" });
      this.#setBudgets(id, key.budgets);
      return true;
    });
  }

  updateKey(id: string, changes: KeyChanges): boolean {
    // A new budget begins with what was used in its window.
    if (changes.budgets !== undefined) this.#settleUp();
    return this.#transaction(() => {
      if (!this.#db.query(LIVE_KEY_SQL).get(id)) return false;
      const cells = settingCells(changes);
      if (Object.keys(cells).length > 0) {
        this.#run(updateText("keys", cells), ...Object.values(cells), id);
      }
      if (changes.budgets !== undefined) this.#setBudgets(id, changes.budgets);
      return true;
    });
  }

  addSecret(id: string, { hash, lastFour }: KeptSecret, endsAtMs: number): string | undefined {
    return this.#transaction(() => {
      const [key] = this.#rows<{ hash: string }>(LIVE_KEY_SQL, id);
      if (key) this.#run(ADD_SECRET_SQL, endsAtMs, hash, id, lastFour);
      return key?.hash;
    });
  }

  replaceSecret({ keyId, from, to }: SecretExchange, formerEndsAtMs: number): boolean {
    return this.#transaction(() => {
      if (!this.#db.query(LIVE_KEY_SQL).get(keyId)) return false;
      if (!this.#db.query(CAN_REPLACE_SQL).get(keyId, from, to.hash)) return false;
      this.#run(FORGET_SECRETS_SQL, keyId, this.#clock() - FORMER_SECRET_KEPT_MS);
      this.#run(TAKE_SECRET_SQL, to.hash);
      this.#run(KEEP_SECRET_SQL, formerEndsAtMs, keyId);
      this.#run(SET_SECRET_SQL, to.hash, to.lastFour, keyId);
      return true;
    });
  }

  withdrawSecret({ keyId, from, to }: SecretExchange): void {
    this.#transaction(() => {
      this.#run(RESTORE_SECRET_SQL, keyId, from, to.hash);
      this.#run(WITHDRAW_SECRET_SQL, keyId, to.hash);
    });
  }

  endFormerSecrets(id: string, nowMs: number): void {
    this.#run(END_SECRETS_SQL, nowMs, id);
  }

  deleteKey(id: string, nowMs: number): boolean {
    return this.#run(DELETE_KEY_SQL, nowMs, id) > 0;
  }

  #setBudgets(keyId: string, wanted: readonly BudgetTerms[]): void {
    const [state] = this.#rows<{ used: bigint }>("select used from scopes where id = ?", keyId);
    if (!state) throw new Error(`key ${keyId} has no sums`);
    const current = this.#rows<BudgetCells>(
      `select ${BUDGET_COLUMNS} from budgets where key_id = ?`,
      keyId,
    ).map(readBudget);
    const [givenBack] = this.#rows<{ amount: string }>(GIVEN_BACK_SQL, keyId);
    const rows = changedBudgets(current, wanted, {
      used: state.used,
      atMs: this.#clock(),
      givenBack: BigInt(givenBack?.amount ?? 0),
      usedIn: (window) => this.#usedIn(keyId, window),
    });
    this.#run("delete from budgets where key_id = ?", keyId);
    for (const row of rows) this.#insert("budgets", budgetCells(keyId, row));
  }

  #usedIn(keyId: string, { startMs, endMs }: BudgetWindow): bigint {
    const [row] = this.#rows<{ used: string }>(USED_IN_SQL, keyId, startMs, endMs);
    return BigInt(row?.used ?? 0);
  }

  credit(credit: Credit): boolean {
    const { id, accountId, kind, amount, note, createdAtMs, charge } = credit;
    // When it was charged is in the rows.
    if (charge) this.#settleUp();
    return this.#transaction(() => {
      const inserted = this.#run(
        `insert into entries (account_id, key_id, kind, amount, hold_id, ref, note, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (ref) where ref is not null do nothing`,
        ...[accountId, charge?.keyId ?? null, kind, amount, charge?.requestId ?? null],
        ...[id, note, createdAtMs],
      );
      if (inserted === 0) return false;
      const raised = this.#run(
        "update scopes set max = max + ? where id = ? and max <= ?",
        ...[amount, accountId, creditedBeforeMax(credit)],
      );
      if (raised === 0) throw new Error(`account ${accountId} can take no such credit`);
      if (charge) this.#run(GIVE_BACK_SQL, amount, charge.keyId, charge.requestId);
      return true;
    });
  }

  /** Of a debit that there is no money for: it may have been made before. */
  findDebit({ id }: Debit): "already" | "short" {
    return (this.#debited(id) ?? 0n) > 0n ? "already" : "short";
  }

  /** What the entry of this id took: nothing where the id is closed, undefined where there is no entry. */
  #debited(id: string): NanoUsd | undefined {
    const [entry] = this.#rows<{ amount: bigint }>("select amount from entries where ref = ?", id);
    return entry?.amount;
  }

  #enterDebit({ id, accountId, kind, amount, note, createdAtMs }: Debit): void {
    this.#run(
      `insert into entries (account_id, kind, amount, ref, note, created_at)
       values (?, ?, ?, ?, ?, ?)`,
      ...[accountId, kind, amount, id, note, createdAtMs],
    );
  }

  closeDebit(closed: ClosedDebit): NanoUsd {
    return this.#transaction(() => {
      const debited = this.#debited(closed.id);
      if (debited === undefined) this.#enterDebit({ ...closed, amount: 0n });
      return debited ?? 0n;
    });
  }

  debit(debit: Debit): "done" | "already" | "short" {
    const { id, accountId, amount } = debit;
    this.#settleUp();
    return this.#transaction(() => {
      if (this.#debited(id) !== undefined) return this.findDebit(debit);
      const taken = this.#run(
        "update scopes set max = max - ? where id = ? and kind = 'balance' and max - used - held >= ?",
        amount,
        accountId,
        amount,
      );
      if (taken === 0) return "short";
      this.#enterDebit(debit);
      return "done";
    });
  }
}
