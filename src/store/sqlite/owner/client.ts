import type { AccountsStore } from "../../../accounts/store.ts";
import type { AdmissionStore } from "../../../admission/store.ts";
import type { LedgerStore } from "../../../ledger/store.ts";
import { StorageError } from "../../../lib/faults.ts";
import { retryFor } from "../../../lib/retry-for.ts";
import { DatabaseInUseError } from "../../store.ts";
import { LedgerOwner, type LedgerOwnerOptions, type Money } from "../book/ledger-owner.ts";
import { isTaken, takeLock } from "../files/serve-lock.ts";
import { booksLockIn, serveLockIn } from "../files.ts";
import {
  LedgerReleasedError,
  type OwnerCall,
  OwnerConnection,
  UnansweredError,
} from "./connection.ts";
import { OwnerServer } from "./server.ts";

/** The longest wait for another process to hand over the ledger. */
const OWNER_WAIT_MS = 10_000;
/** A command may be adding up all the books, which takes a while. No second server waits: it has no lock. */
const SERVER_WAIT_MS = 60_000;
/** How long a server waits to hear whether it is given them. */
const YIELD_WAIT_MS = 1_000;

interface LedgerClientOptions extends LedgerOwnerOptions {
  /** How long to look for the ledger owner. */
  readonly waitMs?: number;
}

/**
 * Whether a process serves that does not keep the books: one of before they were kept like this, whose open
 * holds are its own, or one that has just begun and will have them.
 */
export function isServed(folder: string): boolean {
  return isTaken(serveLockIn(folder));
}

/** The ledger, owned by this process: no other process owns it at the same time. */
class OwnedLedger {
  readonly owner: LedgerOwner;
  readonly #server: OwnerServer;
  readonly #unlock: () => void;

  private constructor(owner: LedgerOwner, server: OwnerServer, unlock: () => void) {
    this.owner = owner;
    this.#server = server;
    this.#unlock = unlock;
  }

  /** Undefined where another has them, or is to have them. */
  static async take(
    options: LedgerClientOptions,
    asksToYield?: () => void,
  ): Promise<OwnedLedger | undefined> {
    const { folder } = options;
    const unlock = takeLock(booksLockIn(folder));
    if (!unlock) return undefined;
    if (asksToYield && isServed(folder)) {
      unlock();
      return undefined;
    }
    await using undo = new AsyncDisposableStack();
    undo.defer(unlock);
    const owner = undo.adopt(await LedgerOwner.open(options), (opened) => opened.close());
    const server = await OwnerServer.open(folder, owner, asksToYield ?? (() => {}));
    undo.move();
    return new OwnedLedger(owner, server, unlock);
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.owner.close();
    this.#unlock();
  }
}

/** The books of a folder in the hands of the process that serves from it. */
export async function keepBooks(options: LedgerClientOptions) {
  const owned = await retryFor(async () => {
    const taken = await OwnedLedger.take(options);
    if (taken) return taken;
    // A command that has them while nobody serves gives them up when it is asked.
    const connection = await OwnerConnection.open(options.folder);
    const asked = connection?.ask({ port: "books", name: "yield", args: [] }).catch(() => {});
    await Promise.race([asked, Bun.sleep(YIELD_WAIT_MS)]);
    connection?.close();
    return undefined;
  }, SERVER_WAIT_MS);
  if (!owned) throw new DatabaseInUseError(`Another process keeps the books of ${options.folder}.`);
  const { owner } = owned;
  return {
    money: owner,
    failed: owner.failed,
    unsettled: () => owner.unsettled(),
    doubt: () => owner.doubt(),
    close: () => owned.close(),
  };
}

/**
 * The ledger for a process that does not serve. It asks the ledger owner. If there is none, it becomes the owner
 * itself, recovers what earlier processes left, and stays the owner until a server asks for the ledger.
 */
export class LedgerClient {
  readonly #options: LedgerClientOptions;
  #owned: OwnedLedger | undefined;
  #connection: OwnerConnection | undefined;
  #finding: Promise<OwnedLedger | OwnerConnection> | undefined;
  #running = 0;
  #yields = false;
  #isClosed = false;

  constructor(options: LedgerClientOptions) {
    this.#options = options;
  }

  async ask(asked: OwnerCall): Promise<unknown> {
    for (;;) {
      if (this.#isClosed) throw new StorageError("the store is closed");
      const found = await this.#find();
      if (found instanceof OwnedLedger) return this.#askHere(found, asked);
      try {
        return await found.ask(asked);
      } catch (thrown) {
        if (!(thrown instanceof LedgerReleasedError)) throw thrown;
      }
    }
  }

  #askHere({ owner }: OwnedLedger, { port, name, args }: OwnerCall): Promise<unknown> {
    const target: object = port === "books" ? owner : owner[port];
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

  #find(): Promise<OwnedLedger | OwnerConnection> {
    // The books are there before they are cleared up, and say nothing until then.
    if (this.#finding) return this.#finding;
    if (this.#owned && !this.#yields) return Promise.resolve(this.#owned);
    if (this.#connection && !this.#connection.isGone) return Promise.resolve(this.#connection);
    this.#finding = this.#findNew().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #findNew(): Promise<OwnedLedger | OwnerConnection> {
    const { folder, waitMs = OWNER_WAIT_MS } = this.#options;
    const found = await retryFor(async () => {
      const connection = await OwnerConnection.open(folder);
      if (connection) return connection;
      // Never while this very process is about to put them down.
      return this.#owned ? undefined : OwnedLedger.take(this.#options, () => this.#yield());
    }, waitMs);
    if (!found) {
      throw new UnansweredError(
        `Nobody answers for the books of ${folder}. Where a server of an earlier version runs there, stop it first.`,
      );
    }
    if (found instanceof OwnerConnection) {
      this.#connection = found;
      return found;
    }
    this.#owned = found;
    this.#yields = false;
    try {
      await this.#using(() => found.owner.recover());
    } catch (thrown) {
      // The next call takes the ledger again, and recovers it.
      this.#yield();
      throw thrown;
    }
    // A server may have asked for them meanwhile.
    return this.#owned === found ? found : this.#findNew();
  }

  #yield(): void {
    this.#yields = true;
    this.#giveUp();
  }

  /** Once nothing of this process is under way that needs them. */
  #giveUp(): void {
    if (!this.#yields || this.#running > 0) return;
    const owned = this.#owned;
    this.#owned = undefined;
    void owned?.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#finding?.catch(() => {});
    this.#connection?.close();
    await this.#owned?.close();
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

function portOf<Port>(client: LedgerClient, port: OwnerCall["port"], names: Methods<Port>): Port {
  const ask =
    (name: string) =>
    (...args: unknown[]) =>
      client.ask({ port, name, args });
  const methods = Object.keys(names).map((name) => [name, ask(name)]);
  return Object.fromEntries(methods) as Port;
}

/** The same ports as those of the ledger owner, in whatever process it is. */
export function remoteMoney(client: LedgerClient): Money {
  const books = (name: string) => async () => {
    await client.ask({ port: "books", name, args: [] });
  };
  return {
    accounts: portOf(client, "accounts", ACCOUNTS),
    admission: portOf(client, "admission", ADMISSION),
    ledger: portOf(client, "ledger", LEDGER),
    settleUp: books("settleUp"),
    lookAgain: books("lookAgain"),
    ping: books("ping"),
  };
}
