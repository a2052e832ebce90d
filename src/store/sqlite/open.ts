import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AccountsStore } from "../../accounts/store.ts";
import type { BodyStore, ConversationStore, KeptAnswerStore } from "../../conversations/store.ts";
import type { LedgerStore } from "../../ledger/store.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { createPrivateFile, createPrivateFolder } from "../../lib/secrets/private-files.ts";
import { migrateRooms } from "../migrations/migrate.ts";
import { ROOMS } from "../migrations/rooms.ts";
import { MoneyQueue } from "../money/money-queue.ts";
import { Reads } from "../reads/reads.ts";
import { MissingDatabaseError, type OpenOptions, type Store } from "../store.ts";
import { ConsoleSql } from "./console-sql.ts";
import { NOW_MS_SQL, openReader } from "./database.ts";
import { KeyCache } from "./key-cache.ts";
import { takeServeLock } from "./serve-lock.ts";
import { verifyInThread } from "./verify-thread.ts";
import { startWriter, type WriterThread, writeBatch } from "./writer-thread.ts";

function accountsOf(db: Database, reads: Reads, money: WriterThread<"money">): AccountsStore {
  const keys = new KeyCache(db, systemClock);
  const seen = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change;
    keys.lookAgain();
    return done;
  };
  return {
    findKey: (hash) => keys.find(hash),
    createAccount: (account) => money.call("createAccount", account),
    updateAccount: (...args) => seen(money.call("updateAccount", ...args)),
    findAccount: (id) => reads.findAccount(id),
    operatorAccount: () => reads.operatorAccount(),
    listAccounts: () => reads.listAccounts(),
    createKey: (key) => money.call("createKey", key),
    listKeys: (accountId) => reads.listKeys(accountId),
    describeKey: (id) => reads.describeKey(id),
    updateKey: (...args) => seen(money.call("updateKey", ...args)),
    replaceSecret: (...args) => seen(money.call("replaceSecret", ...args)),
    endFormerSecrets: (...args) => seen(money.call("endFormerSecrets", ...args)),
    deleteKey: (...args) => seen(money.call("deleteKey", ...args)),
  };
}

function ledgerOf(queue: MoneyQueue, path: string, reads: Reads, writer: Writer): LedgerStore {
  return {
    settle: (settlement) => queue.settle(settlement),
    refuse: (receipt, count) => queue.refuse(receipt, count),
    credit: (credit) => writer.money.call("credit", credit),
    debit: (debit) => writer.money.call("debit", debit),
    accountOfEntry: (id) => reads.accountOfEntry(id),
    balance: (accountId) => reads.balance(accountId),
    spending: (keyId) => reads.spending(keyId),
    findReceipt: (id, accountId, keyId) => reads.findReceipt(id, accountId, keyId),
    usage: (query) => reads.usage(query),
    // A process that does not serve may stand beside one that does, whose holds are alive.
    recover: async () => (writer.serves ? writer.money.call("recover") : 0),
    verify: () => verifyInThread(path),
  };
}

function conversationsOf(thread: WriterThread<"responses">): ConversationStore {
  return {
    save: (...args) => thread.call("save", ...args),
    find: (...args) => thread.call("find", ...args),
    chain: (...args) => thread.call("chain", ...args),
    findByItem: (...args) => thread.call("findByItem", ...args),
    remove: (...args) => thread.call("remove", ...args),
    sweep: (...args) => thread.call("sweep", ...args),
  };
}

function keptAnswersOf(thread: WriterThread<"responses">): KeptAnswerStore {
  return {
    claim: (...args) => thread.call("claim", ...args),
    findClaim: (...args) => thread.call("findClaim", ...args),
    keepAnswer: (...args) => thread.call("keepAnswer", ...args),
    findAnswer: (...args) => thread.call("findAnswer", ...args),
    freeClaim: (...args) => thread.call("freeClaim", ...args),
    sweepAnswers: (...args) => thread.call("sweepAnswers", ...args),
  };
}

function bodiesOf(thread: WriterThread<"responses">): BodyStore {
  return {
    bodies: (...args) => thread.call("bodies", ...args),
    replaceBodies: (...args) => thread.call("replaceBodies", ...args),
  };
}

interface Writer {
  readonly money: WriterThread<"money">;
  readonly serves: boolean;
}

/** Throws when there is no file, saying what to do. */
function requireFile(path: string): void {
  if (existsSync(path)) return;
  throw new MissingDatabaseError(
    `There is no database at ${path}. Start "faregate serve" once to create it, ` +
      "or point FAREGATE_DATA at the folder that has it.",
  );
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
  const files = [path, join(folder, "responses.sqlite"), join(folder, "console.sqlite")] as const;
  if (create) createPrivateFolder(folder);
  else requireFile(path);
  // Before SQLite makes them as anybody may read them: what was asked of models is in there.
  for (const file of files) createPrivateFile(file);
  if (serve) openings.add(takeServeLock(join(folder, "serve.lock")));

  const owner = newId("own_");
  const money = await startWriter("money", { path, create, owner });
  openings.add(() => money.close());
  const responses = await startWriter("responses", { path: files[1], create, owner });
  openings.add(() => responses.close());
  const sql = await ConsoleSql.open(files[2]);
  openings.add(() => sql.close());
  await migrateRooms(sql, ROOMS);
  const db = openReader(path);
  openings.add(() => db.close());
  const queue = new MoneyQueue((batch) => writeBatch(money, batch));
  openings.add(() => queue.close());
  const reads = new Reads((sql, params) => db.query(sql).all(...params), NOW_MS_SQL);

  return {
    accounts: accountsOf(db, reads, money),
    admission: queue,
    ledger: ledgerOf(queue, path, reads, { money, serves: serve }),
    conversations: conversationsOf(responses),
    keptAnswers: keptAnswersOf(responses),
    bodies: bodiesOf(responses),
    sql,
    // The lock sees to it.
    othersServe: async () => false,
    failed: Promise.race([money.failed, responses.failed, sql.failed]),
    async ping() {
      db.query("select 1").get();
      await money.call("ping");
    },
    close: () => openings.close(),
  };
}
