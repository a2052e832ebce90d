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
import type { Connections, Run } from "./connections.ts";

async function insert(run: Run, table: string, cells: Cells): Promise<void> {
  await run(insertText(table, cells), Object.values(cells));
}

/** Changes to accounts, keys and credits: rare, each a transaction of its own. */
export class AccountsWriter {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  createAccount(account: Account): Promise<void> {
    const { id } = account;
    return this.#connections.transaction(async (run) => {
      await insert(run, "accounts", accountCells(account));
      await insert(run, "scopes", { id, account_id: id, kind: "balance", max: 0 });
    });
  }

  createKey(key: NewKey): Promise<boolean> {
    const { id, accountId: account_id, budget: max } = key;
    return this.#connections.transaction(async (run) => {
      const account = await run("select 1 from accounts where id = $1", [account_id]);
      if (account.length === 0) return false;
      await insert(run, "keys", newKeyCells(key));
      await insert(run, "scopes", { id, account_id, key_id: id, kind: "budget", max });
      return true;
    });
  }

  updateKey(id: string, changes: KeyChanges): Promise<boolean> {
    return this.#connections.transaction(async (run) => {
      // The scope before the key, as money batches do, or the two could wait for each other.
      const scope = "select 1 from scopes where id = $1 and kind = 'budget' for update";
      if ((await run(scope, [id])).length === 0) return false;
      const cells = settingCells(changes);
      if (Object.keys(cells).length > 0) {
        await run(updateText("keys", cells), [...Object.values(cells), id]);
      }
      if (changes.budget !== undefined) {
        await run("update scopes set max = $1 where id = $2", [changes.budget, id]);
      }
      return true;
    });
  }

  credit(credit: Credit): Promise<boolean> {
    const { id, accountId, kind, amount, note, createdAtMs } = credit;
    return this.#connections.transaction(async (run) => {
      const inserted = await run(
        `insert into entries (account_id, kind, amount, ref, note, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (ref) where ref is not null do nothing`,
        [accountId, kind, amount, id, note, createdAtMs],
      );
      if (inserted.count === 0) return false;
      await run("update scopes set max = max + $1 where id = $2", [amount, accountId]);
      return true;
    });
  }
}
