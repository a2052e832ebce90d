import type { Database } from "bun:sqlite";
import type { Account, KeyChanges, NewKey } from "../../accounts/account.ts";
import type { Credit } from "../../ledger/books.ts";
import {
  accountCells,
  type Cells,
  insertText,
  newKeyCells,
  settingCells,
  updateText,
} from "../key-cells.ts";
import type { Cell } from "../rows.ts";

/** Changes to accounts, keys and credits: rare, each a transaction of its own. */
export class AccountsWriter {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #run(sql: string, ...values: Cell[]): number {
    return this.#db.query(sql).run(...values).changes;
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

  createKey(key: NewKey): boolean {
    const { id, accountId: account_id, budget: max } = key;
    return this.#transaction(() => {
      if (!this.#db.query("select 1 from accounts where id = ?").get(account_id)) return false;
      this.#insert("keys", newKeyCells(key));
      this.#insert("scopes", { id, account_id, key_id: id, kind: "budget", max });
      return true;
    });
  }

  updateKey(id: string, changes: KeyChanges): boolean {
    return this.#transaction(() => {
      if (!this.#db.query("select 1 from keys where id = ?").get(id)) return false;
      const cells = settingCells(changes);
      if (Object.keys(cells).length > 0) {
        this.#run(updateText("keys", cells), ...Object.values(cells), id);
      }
      if (changes.budget !== undefined) {
        this.#run("update scopes set max = ? where id = ?", changes.budget, id);
      }
      return true;
    });
  }

  credit(credit: Credit): boolean {
    return this.#transaction(() => {
      const inserted = this.#run(
        `insert into entries (account_id, kind, amount, ref, note, created_at) values (?, ?, ?, ?, ?, ?)
         on conflict (ref) where ref is not null do nothing`,
        credit.accountId,
        credit.kind,
        credit.amount,
        credit.id,
        credit.note,
        credit.createdAtMs,
      );
      if (inserted === 0) return false;
      this.#run("update scopes set max = max + ? where id = ?", credit.amount, credit.accountId);
      return true;
    });
  }
}
