import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BodyStore, ConversationStore, KeptAnswerStore } from "../../conversations/store.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { asFullDisk } from "../../lib/files/full-disk.ts";
import { newId } from "../../lib/ids.ts";
import { createPrivateFolder } from "../../lib/secrets/private-files.ts";
import { TAKE_UNTOLD_SQL, tellOfHardBalances } from "../migrations/hard-balances.ts";
import { migrateRooms } from "../migrations/migrate.ts";
import { tellOfUpgrade } from "../migrations/upgrade.ts";
import {
  DatabaseInUseError,
  MissingDatabaseError,
  type OpenOptions,
  type Store,
} from "../store.ts";
import type { Money } from "./book/ledger-owner.ts";
import { ConsoleSql } from "./console-sql.ts";
import { closeFile, migrate, openFile, upgradeOf } from "./database.ts";
import { DirectSql } from "./direct-sql.ts";
import { FileWatch } from "./file-watch.ts";
import { takeServeLock } from "./files/serve-lock.ts";
import {
  booksLockIn,
  createFiles,
  filesIn,
  forgetFormerBooks,
  holdsFileIn,
  markFileIn,
  requireUsable,
  requireWhole,
  serveLockIn,
} from "./files.ts";
import { MONEY_TABLES } from "./money-schema.ts";
import { isServed, keepBooks, LedgerClient, remoteMoney } from "./owner/client.ts";
import { RESPONSE_TABLES } from "./responses/responses-schema.ts";
import { startWriter, type WriterThread } from "./writer-thread.ts";

function conversationsOf(thread: WriterThread<"responses">): ConversationStore {
  return {
    save: (record, bytesMax) => thread.call("save", record, bytesMax),
    find: (id, reader, nowMs) => thread.call("find", id, reader, nowMs),
    chain: (id, reader, nowMs, reach) => thread.call("chain", id, reader, nowMs, reach),
    findByItem: (id, reader, nowMs) => thread.call("findByItem", id, reader, nowMs),
    remove: (id, reader) => thread.call("remove", id, reader),
    sweep: (...args) => thread.call("sweep", ...args),
  };
}

function keptAnswersOf(thread: WriterThread<"responses">): KeptAnswerStore {
  return {
    claim: (claimant, span) => thread.call("claim", claimant, span),
    findClaim: (name) => thread.call("findClaim", name),
    keepAnswer: (claimant, answer) => thread.call("keepAnswer", claimant, answer),
    findAnswer: (name, requestId) => thread.call("findAnswer", name, requestId),
    freeClaim: (name, requestId, state) => thread.call("freeClaim", name, requestId, state),
    sweepAnswers: (...args) => thread.call("sweepAnswers", ...args),
  };
}

function bodiesOf(thread: WriterThread<"responses">): BodyStore {
  return {
    bodies: (...args) => thread.call("bodies", ...args),
    replaceBodies: (...args) => thread.call("replaceBodies", ...args),
  };
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

const TABLES = {
  money: { tables: MONEY_TABLES, synchronous: "FULL" },
  responses: { tables: RESPONSE_TABLES, synchronous: "NORMAL" },
} as const;

/** Brings the tables of a file to their newest version, before a thread opens it, and tells what a server has to tell. */
function migrateFile(folder: string, name: keyof typeof TABLES, options: OpenOptions): void {
  const { tables, synchronous } = TABLES[name];
  const db = openFile(filesIn(folder)[name], { create: options.create, synchronous });
  try {
    if (options.serve) tellOfUpgrade(options.log, tables, upgradeOf(db, tables));
    migrate(db, tables, () => expectNobody(folder, options));
    if (options.serve && options.log) {
      tellOfHardBalances(options.log, db.query(TAKE_UNTOLD_SQL).all());
    }
  } finally {
    closeFile(db);
  }
}

function migrateFiles(folder: string, options: OpenOptions): void {
  forgetFormerBooks(folder);
  migrateFile(folder, "money", options);
  migrateFile(folder, "responses", options);
}

/**
 * The books, for whoever needs nothing else of the folder. Where nobody serves they are kept here, and so are
 * brought up to date first; who serves keeps them as they are.
 */
export function openBooks(folder: string): LedgerClient {
  if (!isServed(folder)) migrateFile(folder, "money", { create: false, serve: false });
  return new LedgerClient({ folder, create: false, clock: systemClock });
}

/** Whoever serves while a command is to take something away is of a version that needs it. */
function expectNobody(folder: string, { serve, forServer }: OpenOptions): void {
  if (serve || forServer || !isServed(folder)) return;
  throw new DatabaseInUseError(
    `A server of an earlier version runs on ${folder}, which could not go on with the tables of this one. ` +
      "Stop it first.",
  );
}

/** The files of a data folder: money with whoever keeps its books, stored responses with their thread. */
export async function openSqlite(
  dataDir: string,
  options: OpenOptions,
  clock: Clock = systemClock,
): Promise<Store> {
  const folder = resolve(dataDir);
  const openings = new Openings();
  try {
    return await openFiles(folder, options, clock, openings);
  } catch (thrown) {
    await openings.close();
    throw asFullDisk(folder, thrown);
  }
}

interface OpenedMoney {
  readonly money: Money;
  /** Never settles where another process keeps the books: it is for that one to end. */
  readonly failed: Promise<Error>;
  /** None where nothing is let in. */
  unsettled(): readonly string[];
}

interface Opening {
  readonly folder: string;
  readonly options: OpenOptions;
  readonly clock: Clock;
  readonly openings: Openings;
  readonly watch: FileWatch;
}

async function openMoney({ folder, options, clock, ...at }: Opening): Promise<OpenedMoney> {
  const { create, serve } = options;
  if (!serve) {
    migrateFiles(folder, options);
    const client = new LedgerClient({ folder, create, clock });
    at.openings.add(() => client.close());
    return { money: remoteMoney(client), failed: new Promise(() => {}), unsettled: () => [] };
  }
  at.openings.add(await takeServeLock(serveLockIn(folder)));
  migrateFiles(folder, options);
  const { check } = at.watch;
  const { close, doubt, ...kept } = await keepBooks({ folder, create, clock, check });
  at.openings.add(close);
  at.watch.onGone = doubt;
  return kept;
}

/** What this process has open. Whose books are with another process has neither them nor the locks. */
function watchFiles(watch: FileWatch, folder: string, serve: boolean): void {
  const { money, responses, console } = filesIn(folder);
  const own = [holdsFileIn, markFileIn, serveLockIn, booksLockIn].map((fileIn) => fileIn(folder));
  if (serve) watch.begin([money, responses, console], own);
  else watch.begin([responses, console], []);
}

async function openFiles(
  folder: string,
  options: OpenOptions,
  clock: Clock,
  openings: Openings,
): Promise<Store> {
  const { create, rooms } = options;
  const files = filesIn(folder);
  requireUsable(folder);
  if (!options.anew) requireWhole(folder);
  if (create) createPrivateFolder(folder);
  else requireFile(files.money);
  createFiles(files);
  const watch = new FileWatch(options.log);
  const opening = { folder, options, clock, openings, watch };
  const { money, failed, unsettled } = await openMoney(opening);

  const owner = newId("own_");
  const { check } = watch;
  const settings = { path: files.responses, create, owner };
  const responses = await startWriter("responses", settings, check);
  openings.add(() => responses.close());
  const sql = rooms
    ? await ConsoleSql.open(files.console, check)
    : new DirectSql(files.console, check);
  openings.add(() => sql.close());
  if (rooms) await migrateRooms(sql, rooms, { contracts: () => expectNobody(folder, options) });
  await options.beforeServing?.(sql);
  watchFiles(watch, folder, options.serve);
  openings.add(() => watch.close());

  return {
    accounts: money.accounts,
    admission: money.admission,
    ledger: money.ledger,
    conversations: conversationsOf(responses),
    keptAnswers: keptAnswersOf(responses),
    bodies: bodiesOf(responses),
    sql,
    // Beside who serves nobody else can: the lock sees to it.
    othersServe: async () => !options.serve && isServed(folder),
    failed: Promise.race([failed, responses.failed, sql.failed]),
    unsettled,
    watch(doubted) {
      const { onGone } = watch;
      watch.onGone = () => {
        onGone();
        doubted();
      };
    },
    async ping() {
      check();
      await money.ping();
    },
    close: () => openings.close(),
  };
}
