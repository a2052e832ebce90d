import type { AccountsStore } from "../../../accounts/store.ts";
import type { AdmissionStore } from "../../../admission/store.ts";
import type { LedgerStore } from "../../../ledger/store.ts";
import { StorageError } from "../../../lib/faults.ts";
import { patiently } from "../../../lib/patiently.ts";
import { DatabaseInUseError } from "../../store.ts";
import { Keeper, type KeeperOptions, type Money } from "../book/keeper.ts";
import { isTaken, takeLock } from "../files/serve-lock.ts";
import { booksLockIn, serveLockIn } from "../files.ts";
import { type Asked, Caller, UnansweredError, UnheardError } from "./caller.ts";
import { Counter } from "./counter.ts";

/** How long one waits for the books while another puts them down or takes them up. */
const SEAT_WAIT_MS = 10_000;
/** A command may be adding up all the books, which takes a while. No second server waits: it has no lock. */
const SERVER_WAIT_MS = 60_000;
/** How long a server waits to hear whether it is given them. */
const YIELD_WAIT_MS = 1_000;

interface SeatOptions extends KeeperOptions {
  /** How long to look for whoever keeps the books; for a while unless told. */
  readonly waitMs?: number;
}

/**
 * Whether a process serves that does not keep the books: one of before they were kept like this, whose open
 * holds are its own, or one that has just begun and will have them.
 */
export function isServed(folder: string): boolean {
  return isTaken(serveLockIn(folder));
}

/** The books, kept here: nobody else keeps them as long as this is so. */
class Kept {
  readonly keeper: Keeper;
  readonly #counter: Counter;
  readonly #unlock: () => void;

  private constructor(keeper: Keeper, counter: Counter, unlock: () => void) {
    this.keeper = keeper;
    this.#counter = counter;
    this.#unlock = unlock;
  }

  /** Undefined where another has them, or is to have them. */
  static async take(options: SeatOptions, asksToYield?: () => void): Promise<Kept | undefined> {
    const { folder } = options;
    const unlock = takeLock(booksLockIn(folder));
    if (!unlock) return undefined;
    if (asksToYield && isServed(folder)) {
      unlock();
      return undefined;
    }
    await using undo = new AsyncDisposableStack();
    undo.defer(unlock);
    const keeper = undo.adopt(await Keeper.open(options), (opened) => opened.close());
    const counter = await Counter.open(folder, keeper, asksToYield ?? (() => {}));
    undo.move();
    return new Kept(keeper, counter, unlock);
  }

  async close(): Promise<void> {
    await this.#counter.close();
    await this.keeper.close();
    this.#unlock();
  }
}

/** The books of a folder in the hands of the process that serves from it. */
export async function keepBooks(options: SeatOptions) {
  const kept = await patiently(async () => {
    const taken = await Kept.take(options);
    if (taken) return taken;
    // A command that has them while nobody serves gives them up when it is asked.
    const caller = await Caller.open(options.folder);
    const asked = caller?.ask({ port: "books", name: "yield", args: [] }).catch(() => {});
    await Promise.race([asked, Bun.sleep(YIELD_WAIT_MS)]);
    caller?.close();
    return undefined;
  }, SERVER_WAIT_MS);
  if (!kept) throw new DatabaseInUseError(`Another process keeps the books of ${options.folder}.`);
  const { keeper } = kept;
  return {
    money: keeper,
    failed: keeper.failed,
    unsettled: () => keeper.unsettled(),
    doubt: () => keeper.doubt(),
    close: () => kept.close(),
  };
}

/**
 * The books for a process that does not serve. It asks whoever keeps them; where nobody does, it keeps them
 * itself from then on, after what others left has been cleared up, until a server asks for them.
 */
export class Seat {
  readonly #options: SeatOptions;
  #kept: Kept | undefined;
  #caller: Caller | undefined;
  #finding: Promise<Kept | Caller> | undefined;
  #running = 0;
  #yields = false;
  #isClosed = false;

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  async ask(asked: Asked): Promise<unknown> {
    for (;;) {
      if (this.#isClosed) throw new StorageError("the store is closed");
      const found = await this.#find();
      if (found instanceof Kept) return this.#askHere(found, asked);
      try {
        return await found.ask(asked);
      } catch (thrown) {
        if (!(thrown instanceof UnheardError)) throw thrown;
      }
    }
  }

  #askHere({ keeper }: Kept, { port, name, args }: Asked): Promise<unknown> {
    const target: object = port === "books" ? keeper : keeper[port];
    const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
    return this.#using(() => method.apply(target, args as unknown[]));
  }

  /** They are not given up before it is done. */
  async #using<T>(work: () => T): Promise<Awaited<T>> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#giveUp();
    }
  }

  #find(): Promise<Kept | Caller> {
    // The books are there before they are cleared up, and say nothing until then.
    if (this.#finding) return this.#finding;
    if (this.#kept && !this.#yields) return Promise.resolve(this.#kept);
    if (this.#caller && !this.#caller.isGone) return Promise.resolve(this.#caller);
    this.#finding = this.#findNew().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #findNew(): Promise<Kept | Caller> {
    const { folder, waitMs = SEAT_WAIT_MS } = this.#options;
    const found = await patiently(async () => {
      const caller = await Caller.open(folder);
      if (caller) return caller;
      // Never while this very process is about to put them down.
      return this.#kept ? undefined : Kept.take(this.#options, () => this.#yield());
    }, waitMs);
    if (!found) {
      throw new UnansweredError(
        `Nobody answers for the books of ${folder}. Where a server of an earlier version runs there, stop it first.`,
      );
    }
    if (found instanceof Caller) {
      this.#caller = found;
      return found;
    }
    this.#kept = found;
    this.#yields = false;
    try {
      await this.#using(() => found.keeper.recover());
    } catch (thrown) {
      // Whoever asks next takes them anew, and clears up.
      this.#yield();
      throw thrown;
    }
    // A server may have asked for them meanwhile.
    return this.#kept === found ? found : this.#findNew();
  }

  #yield(): void {
    this.#yields = true;
    this.#giveUp();
  }

  /** Once nothing of this process is under way that needs them. */
  #giveUp(): void {
    if (!this.#yields || this.#running > 0) return;
    const kept = this.#kept;
    this.#kept = undefined;
    void kept?.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#finding?.catch(() => {});
    this.#caller?.close();
    await this.#kept?.close();
  }
}

type Methods<Port> = { readonly [Name in keyof Port & string]: true };

const ACCOUNTS: Methods<AccountsStore> = {
  findKey: true,
  createAccount: true,
  updateAccount: true,
  findAccount: true,
  operatorAccount: true,
  isUnused: true,
  listAccounts: true,
  createKey: true,
  listKeys: true,
  describeKey: true,
  updateKey: true,
  addSecret: true,
  replaceSecret: true,
  withdrawSecret: true,
  endFormerSecrets: true,
  deleteKey: true,
};
const ADMISSION: Methods<AdmissionStore> = { admit: true, raise: true };
const LEDGER: Methods<LedgerStore> = {
  settle: true,
  withdraw: true,
  deny: true,
  refuse: true,
  credit: true,
  debit: true,
  closeDebit: true,
  accountOfEntry: true,
  recover: true,
  verify: true,
  balance: true,
  spending: true,
  findReceipt: true,
  usage: true,
};

function portOf<Port>(seat: Seat, port: Asked["port"], names: Methods<Port>): Port {
  const ask =
    (name: string) =>
    (...args: unknown[]) =>
      seat.ask({ port, name, args });
  const methods = Object.keys(names).map((name) => [name, ask(name)]);
  return Object.fromEntries(methods) as Port;
}

/** The same ports as those of whoever keeps the books, wherever that is. */
export function askedMoney(seat: Seat): Money {
  const books = (name: string) => async () => {
    await seat.ask({ port: "books", name, args: [] });
  };
  return {
    accounts: portOf(seat, "accounts", ACCOUNTS),
    admission: portOf(seat, "admission", ADMISSION),
    ledger: portOf(seat, "ledger", LEDGER),
    settleUp: books("settleUp"),
    lookAgain: books("lookAgain"),
    ping: books("ping"),
  };
}
