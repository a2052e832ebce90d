import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AccountsStore } from "../../accounts/store.ts";
import type { ConversationStore } from "../../conversations/store.ts";
import type { Verification } from "../../ledger/books.ts";
import type { LedgerStore } from "../../ledger/store.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { MoneyQueue } from "../money-queue.ts";
import { Reads } from "../reads.ts";
import type { OpenOptions, Store } from "../store.ts";
import { verifyBooks } from "../verification.ts";
import { BUSY_TIMEOUT_MS, requireFile } from "./database.ts";
import { KeyCache } from "./key-cache.ts";
import { takeServeLock } from "./serve-lock.ts";
import { WriterThread } from "./writer-thread.ts";

const LINES_SQL = `
  select id as subject, cast(cost as text) as kept, cast(summed as text) as summed from (
    select r.id, r.cost,
      (select (coalesce(sum(json_extract(value, '$[1]') * cast(json_extract(value, '$[2]') as integer)), 0)
        + 999) / 1000 from json_each(r.lines)) as summed
    from receipts r
  ) where cost <> summed`;

function accountsOf(db: Database, reads: Reads, money: WriterThread): AccountsStore {
  const keys = new KeyCache(db, systemClock);
  return {
    findKey: (hash) => keys.find(hash),
    createAccount: (account) => money.call("createAccount", account),
    findAccount: (id) => reads.findAccount(id),
    operatorAccount: () => reads.operatorAccount(),
    listAccounts: () => reads.listAccounts(),
    createKey: (key) => money.call("createKey", key),
    listKeys: (accountId) => reads.listKeys(accountId),
    async updateKey(id, changes) {
      const found = await money.call<boolean>("updateKey", id, changes);
      keys.lookAgain();
      return found;
    },
  };
}

function ledgerOf(queue: MoneyQueue, path: string, reads: Reads, writer: Writer): LedgerStore {
  return {
    settle: (settlement) => queue.settle(settlement),
    refuse: (receipt) => queue.refuse(receipt),
    credit: (credit) => writer.money.call("credit", credit),
    balance: (accountId) => reads.balance(accountId),
    budget: (keyId) => reads.budget(keyId),
    findReceipt: (id, accountId, keyId) => reads.findReceipt(id, accountId, keyId),
    usage: (query) => reads.usage(query),
    // A process that does not serve may stand beside one that does, whose holds are alive.
    recover: async () => (writer.serves ? writer.money.call<number>("recover") : 0),
    verify: () => verify(path),
  };
}

/**
 * In one read transaction, or a settlement between two sums would look like a hole; and on a
 * connection of its own, or other reads would see the past for as long as it takes.
 */
async function verify(path: string): Promise<Verification> {
  const db = openReader(path);
  try {
    db.run("begin");
    return await verifyBooks((sql) => db.query(sql).all(), LINES_SQL);
  } finally {
    db.close();
  }
}

function openReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

function conversationsOf(thread: WriterThread): ConversationStore {
  return {
    save: (...args) => thread.call("save", ...args),
    find: (...args) => thread.call("find", ...args),
    chain: (...args) => thread.call("chain", ...args),
    findByItem: (...args) => thread.call("findByItem", ...args),
    remove: (...args) => thread.call("remove", ...args),
    sweep: (...args) => thread.call("sweep", ...args),
  };
}

interface Writer {
  readonly money: WriterThread;
  readonly serves: boolean;
}

/** What has been opened so far, closed in the opposite order. */
class Openings {
  readonly #closes: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closes.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closes.splice(0).reverse()) await close();
  }
}

/** The files of a data folder: money with its writer thread, stored responses with theirs. */
export async function openSqlite(dataDir: string, options: OpenOptions): Promise<Store> {
  const openings = new Openings();
  try {
    return await openFiles(resolve(dataDir), options, openings);
  } catch (thrown) {
    await openings.close();
    throw thrown;
  }
}

async function openFiles(folder: string, options: OpenOptions, openings: Openings): Promise<Store> {
  const { create, serve } = options;
  const path = join(folder, "faregate.sqlite");
  if (create) mkdirSync(folder, { recursive: true });
  else requireFile(path);
  if (serve) openings.add(takeServeLock(join(folder, "serve.lock")));

  const owner = newId("own_");
  const start = async (role: "money" | "responses", file: string) => {
    const thread = await WriterThread.start({ role, path: file, create, owner });
    openings.add(() => thread.close());
    return thread;
  };
  const money = await start("money", path);
  const responses = await start("responses", join(folder, "responses.sqlite"));
  const db = openReader(path);
  openings.add(() => db.close());
  const queue = new MoneyQueue((batch) => money.write(batch));
  openings.add(() => queue.close());
  const reads = new Reads((sql, params) => db.query(sql).all(...params));

  return {
    accounts: accountsOf(db, reads, money),
    admission: queue,
    ledger: ledgerOf(queue, path, reads, { money, serves: serve }),
    conversations: conversationsOf(responses),
    failed: Promise.race([money.failed, responses.failed]),
    async ping() {
      db.query("select 1").get();
      await money.call("ping");
    },
    close: () => openings.close(),
  };
}
