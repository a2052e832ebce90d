import type { Database } from "bun:sqlite";
import { type RateSecond, RateWindow, WINDOW_SECONDS } from "../../../admission/rates.ts";
import type { TokensTaken, TokensUsed } from "../../../ledger/receipt.ts";
import { BUDGET_COLUMNS, type BudgetCells, readBudget } from "../../money/budget-rows.ts";
import type { BookName, KeyRate, KeyState } from "../journal/journal.ts";
import { BalanceBook, KeyBook } from "./key-book.ts";

/** Books of keys that nobody uses are closed from so many on. */
const KEYS_MAX = 20_000;

function prepare(db: Database) {
  return {
    balance: db
      .prepare<{ max: bigint; used: bigint }, [string]>(
        "select max, used from scopes where id = ? and kind = 'balance'",
      )
      .safeIntegers(true),
    key: db
      .prepare<{ used: bigint; last_used_at: bigint | null }, [string, string]>(
        `select s.used, k.last_used_at from scopes s join keys k on k.id = s.id
         where s.id = ? and s.account_id = ? and s.kind = 'key'`,
      )
      .safeIntegers(true),
    accountOf: db.prepare<{ account_id: string }, [string]>(
      "select account_id from scopes where id = ? and kind = 'key'",
    ),
    budgets: db
      .prepare<BudgetCells, [string]>(`select ${BUDGET_COLUMNS} from budgets where key_id = ?`)
      .safeIntegers(true),
    rateSeconds: db.prepare<RateSecond, [string, number]>(
      "select second, requests, tokens from rate_seconds where key_id = ? and second > ? order by second",
    ),
  };
}

/**
 * The books of the keys that are used, opened from the file at first use. While a book is shut the file
 * has everything of its key; while it is open, only the book does.
 */
export class KeyBooks {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #balances = new Map<string, BalanceBook>();
  readonly #keys = new Map<string, KeyBook>();
  #changedRates: KeyBook[] = [];

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** `applied`: so many records have become rows, which shut books are read from. */
  of(accountId: string, keyId: string, applied: number): KeyBook {
    const known = this.#keys.get(keyId);
    if (known) return known;
    if (this.#keys.size >= KEYS_MAX) this.#shutIdle(applied);
    const balance = this.balance(accountId);
    const key = this.#sql.key.get(keyId, accountId);
    // Judging by half of the scopes would let through what the other half forbids.
    if (!balance || !key) throw new Error(`key ${keyId} of ${accountId} has no sums`);
    const budgets = this.#sql.budgets.all(keyId).map(readBudget);
    const lastPostMs = Number(key.last_used_at ?? 0);
    const book = new KeyBook({ id: keyId, balance, used: key.used, budgets, lastPostMs });
    this.#balances.set(accountId, balance);
    balance.keys += 1;
    this.#keys.set(keyId, book);
    return book;
  }

  /** Undefined for an account that there is none of. Kept only while a book of its keys is open. */
  balance(accountId: string): BalanceBook | undefined {
    const known = this.#balances.get(accountId);
    if (known) return known;
    const row = this.#sql.balance.get(accountId);
    return row ? new BalanceBook(accountId, row.max, row.used) : undefined;
  }

  /** The balance, which stays open until it is let go. */
  keepBalance(accountId: string): BalanceBook | undefined {
    const balance = this.balance(accountId);
    if (!balance) return undefined;
    this.#balances.set(accountId, balance);
    balance.keys += 1;
    return balance;
  }

  letGo(balance: BalanceBook): void {
    balance.keys -= 1;
    if (balance.keys === 0) this.#balances.delete(balance.id);
  }

  #shutIdle(applied: number): void {
    for (const [id, key] of this.#keys) {
      if (key.open > 0 || key.ratesChanged || key.lastRecord > applied) continue;
      this.#keys.delete(id);
      this.letGo(key.balance);
    }
  }

  /** Also of a book that is shut: it may be opened before a change of its rows is there. */
  nameOf(keyId: string): BookName | undefined {
    const accountId =
      this.#keys.get(keyId)?.balance.id ?? this.#sql.accountOf.get(keyId)?.account_id;
    return accountId === undefined ? undefined : [accountId, keyId];
  }

  names(): BookName[] {
    return [...this.#keys.values()].map((key) => [key.balance.id, key.id]);
  }

  become(states: readonly KeyState[]): void {
    for (const state of states) this.#keys.get(state.keyId)?.become(state);
  }

  setCredited(accountId: string, credited: bigint | undefined): void {
    const balance = this.#balances.get(accountId);
    if (balance && credited !== undefined) balance.credited = credited;
  }

  /** The last minute of a key, of which an earlier process may have seen a part. */
  ratesOf(key: KeyBook, nowMs: number): RateWindow {
    if (!key.rates) {
      const oldest = Math.floor(nowMs / 1000) - WINDOW_SECONDS;
      key.rates = new RateWindow(this.#sql.rateSeconds.all(key.id, oldest), nowMs);
    } else key.rates.forget(nowMs);
    return key.rates;
  }

  countRequests(key: KeyBook, requests: number, nowMs: number): void {
    this.ratesOf(key, nowMs).count(requests, 0, nowMs);
    this.#ratesChanged(key);
  }

  takeTokens(key: KeyBook, tokens: number, nowMs: number): TokensTaken {
    const taken = this.ratesOf(key, nowMs).take(tokens, nowMs);
    this.#ratesChanged(key);
    return taken;
  }

  /** Puts the true count of a request in the place of what it took. */
  replaceTokens(key: KeyBook, tokens: TokensUsed, nowMs: number): void {
    this.ratesOf(key, nowMs).replace(tokens, nowMs);
    this.#ratesChanged(key);
  }

  /** They are written with the others of this second. */
  #ratesChanged(key: KeyBook): void {
    if (key.ratesChanged) return;
    key.ratesChanged = true;
    this.#changedRates.push(key);
  }

  /** What was counted since this was asked last. Windows that have run empty are forgotten. */
  takeRates(nowMs: number): KeyRate[] {
    const changed = this.#changedRates;
    this.#changedRates = [];
    return changed.flatMap((key) => {
      key.ratesChanged = false;
      key.rates?.forget(nowMs);
      return (key.rates?.takeChanged() ?? []).map((second): KeyRate => [key.id, { ...second }]);
    });
  }

  /** They could not be written, and are taken again with those of the next second. */
  putBackRates(rates: readonly KeyRate[]): void {
    for (const [keyId, { second }] of rates) {
      const key = this.#keys.get(keyId);
      if (key?.rates?.putBack(second)) this.#ratesChanged(key);
    }
  }
}
