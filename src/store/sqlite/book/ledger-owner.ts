import type { Database } from "bun:sqlite";
import type { AccountsStore } from "../../../accounts/store.ts";
import type { AdmissionStore } from "../../../admission/store.ts";
import type { Debit } from "../../../ledger/books.ts";
import { lateCredit } from "../../../ledger/ledger.ts";
import type { LedgerStore, Recovery } from "../../../ledger/store.ts";
import { type Clock, every } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { interruptedRow } from "../../money/interrupted.ts";
import { Reads } from "../../reads/reads.ts";
import { closeFile, NOW_MS_SQL, openReader } from "../database.ts";
import { filesIn, holdsFileIn } from "../files.ts";
import type { BookName } from "../journal/journal.ts";
import { KeyCache } from "../key-cache.ts";
import { verifyInThread } from "../verify-thread.ts";
import { startWriter, type WriterThread } from "../writer-thread.ts";
import { HoldSlots, type KeptHold } from "./hold-slots.ts";
import { MoneyBook } from "./money-book.ts";

/** How often rates are written, and others' changes to the file are looked for. */
const LOOK_MS = 1_000;

/** The ports of money, with what those need who read or change the file past them. */
export interface Money {
  readonly accounts: AccountsStore;
  readonly admission: AdmissionStore;
  readonly ledger: LedgerStore;
  /** Resolves when the file shows all that has been settled and held until now. */
  settleUp(): Promise<void>;
  /** Reads again what somebody may have changed in the file. */
  lookAgain(): Promise<void>;
  ping(): Promise<void>;
}

export interface LedgerOwnerOptions {
  readonly folder: string;
  readonly create: boolean;
  readonly clock: Clock;
  /** Throws while nothing may be written. */
  check?(): void;
}

interface LedgerOwnerParts {
  readonly db: Database;
  readonly path: string;
  readonly writer: WriterThread<"money">;
  readonly slots: HoldSlots | undefined;
  readonly clock: Clock;
}

/**
 * The owner of the ledger in a folder. A folder has one owner at a time, and other processes ask it. So the
 * process that knows all holds decides about all money.
 */
export class LedgerOwner implements Money {
  readonly #db: Database;
  readonly #path: string;
  readonly #writer: WriterThread<"money">;
  readonly #book: MoneyBook;
  /** What the file has by now. */
  readonly #rows: Reads;
  /** What has been settled, and sums in which there is also what is held. */
  readonly #reads: Reads;
  readonly #sums: Reads;
  readonly #keys: KeyCache;
  readonly #clock: Clock;
  readonly #stopLooking: () => void;
  /** The file may say something else than what is known of it, since it could not be read again. */
  #isStale = false;

  private constructor({ db, path, writer, slots, clock }: LedgerOwnerParts) {
    this.#db = db;
    this.#path = path;
    this.#writer = writer;
    this.#clock = clock;
    this.#book = new MoneyBook({
      db,
      slots,
      clock,
      journal: {
        append: (lines) => writer.call("append", lines),
        settleUp: (holds) => writer.call("settleUp", holds),
        prove: () => writer.call("prove"),
        keyStates: (...args) => writer.call("keyStates", ...args),
      },
    });
    this.#keys = new KeyCache(db, this.#book.losses);
    const reading = (settled: () => Promise<void>) =>
      new Reads(async (sql, params) => {
        await settled();
        return db.query(sql).all(...params);
      }, NOW_MS_SQL);
    this.#rows = reading(async () => {});
    this.#reads = reading(() => this.#book.settleUp());
    this.#sums = reading(() => this.#book.writeHolds());
    this.#stopLooking = every(LOOK_MS, () => void this.#look());
  }

  /** Whoever opens it has the folder to itself. */
  static async open({ folder, create, clock, check }: LedgerOwnerOptions): Promise<LedgerOwner> {
    const { money: path } = filesIn(folder);
    await using undo = new AsyncDisposableStack();
    const settings = { path, create, owner: newId("own_") };
    const started = startWriter("money", settings, check);
    const writer = undo.adopt(await started, (opened) => opened.close());
    const slots = HoldSlots.open(holdsFileIn(folder));
    const parts = { db: openReader(path), path, writer, slots, clock };
    const owner = undo.adopt(new LedgerOwner(parts), (opened) => opened.close());
    await owner.#adopt(slots);
    await writer.call("changedByOthers");
    undo.move();
    return owner;
  }

  /** What a process that is gone had open, and had not ended. */
  async #adopt(slots: HoldSlots | undefined): Promise<void> {
    // Of two slots of one request the one that holds more was written later.
    const left = (slots?.left() ?? []).sort((a, b) => (a.hold.amount < b.hold.amount ? 1 : -1));
    const asked = left.map(({ hold }) => [hold.id, hold.account_id, hold.key_id] as const);
    const open = new Set(await this.#writer.call("stillOpen", asked));
    for (const { slot, hold } of left) {
      if (slots?.isDenied(slot) && !open.has(hold.id)) await this.#giveBack(hold);
      const isTaken = open.has(hold.id) && this.#book.adopt(hold, slot);
      if (!isTaken) slots?.release(slot);
    }
    for (const hold of await this.#writer.call("keptHolds")) this.#book.adopt(hold, undefined);
  }

  /** What was charged for a request whose client had been told otherwise, by a process that could not see to it. */
  async #giveBack({ id, account_id, key_id }: KeptHold): Promise<void> {
    const written = await this.#reads.findReceipt(id, account_id);
    const amount = written?.charge.amount ?? 0n;
    if (amount === 0n) return;
    const whose = { requestId: id, accountId: account_id, keyId: key_id };
    await this.ledger.credit(lateCredit(whose, amount, this.#clock()));
  }

  /** Resolves when the thread has ended unasked. */
  get failed(): Promise<Error> {
    return this.#writer.failed;
  }

  readonly admission: AdmissionStore = {
    admit: (request) => this.#book.admit(request),
    raise: (request) => this.#book.raise(request),
  };

  /** What changes keys is seen by their next request. */
  async #changing<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      this.#keys.forget();
    }
  }

  readonly accounts: AccountsStore = {
    findKey: (hash) => this.#keys.find(hash),
    createAccount: (account) => this.#writer.call("createAccount", account),
    updateAccount: (...args) => this.#changing(this.#writer.call("updateAccount", ...args)),
    findAccount: (id) => this.#rows.findAccount(id),
    operatorAccount: () => this.#reads.operatorAccount(),
    isUnused: (...args) => this.#reads.isUnused(...args),
    listAccounts: () => this.#reads.listAccounts(),
    createKey: (key, keysMax) => this.#writer.call("createKey", key, keysMax),
    listKeys: (accountId) => this.#sums.listKeys(accountId),
    describeKey: (id) => this.#sums.describeKey(id),
    updateKey: (...args) => this.#updateKey(...args),
    addSecret: (...args) => this.#changing(this.#writer.call("addSecret", ...args)),
    replaceSecret: (...args) => this.#changing(this.#writer.call("replaceSecret", ...args)),
    withdrawSecret: (...args) => this.#changing(this.#writer.call("withdrawSecret", ...args)),
    endFormerSecrets: (...args) => this.#changing(this.#writer.call("endFormerSecrets", ...args)),
    deleteKey: (...args) => this.#changing(this.#writer.call("deleteKey", ...args)),
  };

  readonly #updateKey: AccountsStore["updateKey"] = async (id, changes) => {
    const change = this.#writer.call("updateKey", id, changes);
    const name = changes.budgets && this.#book.keys.nameOf(id);
    // Asked at once: nothing is settled between the change and what it has come to.
    const read = name && this.#readAgain([name]);
    const [done] = await Promise.all([this.#changing(change), read]);
    return done;
  };

  readonly ledger: LedgerStore = {
    settle: (settlement) => this.#book.settle(settlement),
    withdraw: (requestId) => this.#book.withdraw(requestId),
    deny: (requestId) => this.#book.deny(requestId),
    refuse: (receipt, count) => this.#book.refuse(receipt, count),
    credit: async (credit) => {
      const change = this.#writer.call("credit", credit);
      const read = this.#readCredited(credit.accountId);
      // Of a charge that is given back, budgets change too.
      const name = credit.charge && this.#book.keys.nameOf(credit.charge.keyId);
      const [done] = await Promise.all([change, read, name && this.#readAgain([name])]);
      if (credit.charge) this.#book.holds.givenBack(credit.charge.requestId);
      return done;
    },
    debit: (debit) => this.#debit(debit),
    closeDebit: (closed) => this.#writer.call("closeDebit", closed),
    accountOfEntry: (id) => this.#reads.accountOfEntry(id),
    balance: (accountId) => this.#sums.balance(accountId),
    spending: (keyId) => this.#sums.spending(keyId),
    findReceipt: (id, accountId, keyId) => this.#reads.findReceipt(id, accountId, keyId),
    usage: (query) => this.#reads.usage(query),
    recover: () => this.recover(),
    verify: async () => {
      await this.settleUp();
      return verifyInThread(this.#path);
    },
  };

  /** Taken aside before it is written: nobody is let in on money that is leaving. */
  async #debit(debit: Debit): Promise<"done" | "already" | "short"> {
    const { accountId, amount } = debit;
    const balance = this.#book.keys.keepBalance(accountId);
    try {
      const isThere = balance?.setAside(amount) === true;
      const change = this.#writer.call(isThere ? "debit" : "findDebit", debit);
      const read = this.#readCredited(accountId, () => isThere && balance?.putBack(amount));
      const [done] = await Promise.all([change, read]);
      return done;
    } finally {
      if (balance) this.#book.keys.letGo(balance);
    }
  }

  #readCredited(accountId: string, read: () => void = () => {}): Promise<void> {
    return this.#writer.call("creditedTo", accountId).then(
      (credited) => {
        read();
        this.#book.keys.setCredited(accountId, credited);
      },
      (thrown) => {
        read();
        return this.#unread(thrown);
      },
    );
  }

  #readAgain(names: readonly BookName[]): Promise<number> {
    return this.#book.readAgain(names).catch((thrown: unknown) => this.#unread(thrown));
  }

  #unread(thrown: unknown): never {
    this.#isStale = true;
    throw thrown;
  }

  async recover(): Promise<Recovery[]> {
    const left = this.#book.holds.left();
    const results = await Promise.all(
      left.map((hold) =>
        this.#book.end("void", interruptedRow(hold.kept(), this.#clock()), undefined, undefined),
      ),
    );
    if (results.length > 0) await this.settleUp();
    const holds = results.filter((result) => result === "done").length;
    return holds > 0 ? [{ instance: null, holds }] : [];
  }

  /** Something may be wrong with the file. */
  doubt(): void {
    this.#book.doubt();
  }

  /** Requests that were let in here and have not ended. */
  unsettled(): readonly string[] {
    return this.#book.holds.running();
  }

  settleUp(): Promise<void> {
    return this.#book.writeHolds();
  }

  async lookAgain(): Promise<void> {
    this.#keys.forget();
    const names = this.#book.keys.names();
    if (names.length > 0) await this.#readAgain(names);
  }

  async #look(): Promise<void> {
    try {
      await this.#writeRates();
      const isChanged = await this.#writer.call("changedByOthers");
      if (!isChanged && !this.#isStale) return;
      this.#isStale = false;
      await this.lookAgain();
    } catch {
      // The file cannot be had; whoever needs it says so. The next look is in a second.
    }
  }

  async #writeRates(): Promise<void> {
    const rates = this.#book.keys.takeRates(this.#clock());
    if (rates.length === 0) return;
    try {
      await this.#writer.call("writeRates", rates);
    } catch (thrown) {
      this.#book.keys.putBackRates(rates);
      throw thrown;
    }
  }

  async ping(): Promise<void> {
    this.#db.query("select 1").get();
    await this.#book.prove();
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await this.#book.close();
    try {
      await this.#writeRates();
    } catch {
      // A last second of rates is not worth more than that.
    }
    // The last one to close the file brings its log into it, which a connection that only reads cannot.
    try {
      closeFile(this.#db);
    } finally {
      await this.#writer.close();
    }
  }
}
