// Both halves of the books of a file in one thread, on a clock that the test moves.
import type { Database } from "bun:sqlite";
import type { Clock } from "../../src/lib/clock.ts";
import { AccountsWriter } from "../../src/store/sqlite/accounts-writer.ts";
import { HoldSlots } from "../../src/store/sqlite/book/hold-slots.ts";
import { MoneyBook } from "../../src/store/sqlite/book/money-book.ts";
import { migrate, openFile } from "../../src/store/sqlite/database.ts";
import { Journal } from "../../src/store/sqlite/journal/journal.ts";
import { MONEY_TABLES } from "../../src/store/sqlite/money-schema.ts";
import { account, key } from "./samples.ts";

export interface BooksHere {
  readonly db: Database;
  readonly journal: Journal;
  readonly book: MoneyBook;
  readonly accounts: AccountsWriter;
  close(): void;
}

/** `slots`: the file of the holds; without it, each is a row. */
export function booksHere(path: string, clock: Clock, slots?: string): BooksHere {
  const db = openFile(path, { create: true, synchronous: "FULL" });
  migrate(db, MONEY_TABLES);
  const journal = new Journal(db, "own_1", clock);
  const accounts = new AccountsWriter(db, clock, () => journal.settleUp([]));
  const book = new MoneyBook({
    db,
    clock,
    slots: slots === undefined ? undefined : HoldSlots.open(slots),
    journal: {
      append: async (lines) => journal.append(lines),
      settleUp: async (holds) => journal.settleUp(holds),
      prove: async () => journal.prove(),
      keyStates: async (...args) => journal.keyStates(...args),
    },
  });
  const close = () => {
    journal.end();
    db.close();
  };
  return { db, journal, book, accounts, close };
}

/** An account with so much and its key. */
export function customerHere(
  { accounts }: BooksHere,
  amount: bigint,
  over: Parameters<typeof key>[1] = {},
) {
  const owner = account();
  accounts.createAccount(owner);
  const topUp = { id: `ref of ${owner.id}`, accountId: owner.id, amount, note: "", createdAtMs: 1 };
  accounts.credit({ ...topUp, kind: "topup" });
  const made = key(owner.id, over);
  accounts.createKey(made);
  return made;
}
