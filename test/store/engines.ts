// Both databases behind one interface, for the suites that must hold on each of them.
import { Database } from "bun:sqlite";
import { describe } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { readConfig } from "../../src/config/config.ts";
import type { RoomTables, Sql } from "../../src/lib/sql/sql.ts";
import { migrateRooms } from "../../src/store/migrations/migrate.ts";
import { openConsoleReads } from "../../src/store/money-reads/open.ts";
import { openStore } from "../../src/store/open.ts";
import { Connections } from "../../src/store/postgres/connections.ts";
import { ConsoleSql as PostgresSql } from "../../src/store/postgres/console-sql.ts";
import { readSlots } from "../../src/store/sqlite/book/hold-slots.ts";
import { ConsoleSql as SqliteSql } from "../../src/store/sqlite/console-sql.ts";
import { applyJournal } from "../../src/store/sqlite/journal/apply-journal.ts";
import { OwnerConnection } from "../../src/store/sqlite/owner/connection.ts";
import type { OpenOptions, Store } from "../../src/store/store.ts";
import { sharedPostgres } from "../engines/postgres.ts";
import { signal } from "../engines/signal.ts";
import { isHurried } from "../support/counts.ts";
import type { Parts } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { copyDatabase, copyFiles } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;
type Settings = Record<string, string> & { readonly FAREGATE_DATA: string };

/** What the two do each in its own way. */
interface OwnWays {
  /**
   * The rows of a statement past the store, on a connection that knows nothing of it. Plain SQL without
   * parameters, so that one text runs on both engines.
   */
  run<T extends Row = Row>(text: string): Promise<T[]>;
  /** Changes in one transaction. */
  together(texts: readonly string[]): Promise<void>;
  /** A change that the triggers of entries and receipts refuse. */
  damage(text: string): Promise<void>;
  /** One more handle on the console's tables. */
  console(): Promise<Sql & { close(): Promise<void> }>;
  /** Keeps everybody else from writing until the result is called. */
  lockWrites(): Promise<() => Promise<void>>;
  /** What is asked of the database has no answer until the result is called; nothing of it is refused. */
  stall(): Promise<() => Promise<void>>;
  /** Resolves once nothing that a killed process had begun can still be written. */
  atRest(): Promise<void>;
  /** The rows of a statement as whoever starts next will find them after such a death. */
  asLeft<T extends Row = Row>(text: string): Promise<T[]>;
  /** Lets the time pass after which a process that was killed counts as dead. */
  forgetTheDead(): Promise<void>;
}

/** A database of its own without a row in it, which is gone with its parts. */
export interface Site extends OwnWays {
  /** What a server and the commands need to find it. */
  readonly settings: Settings;
  /** One more handle on it, as another process would have. Creating and serving unless told. */
  open(options?: Partial<OpenOptions>): Promise<Store>;
  /** The console's eyes on the money, beside a store that writes to it. */
  reads(): ReturnType<typeof openConsoleReads>;
}

export interface Engine {
  readonly name: "SQLite" | "PostgreSQL";
  site(parts: Parts): Promise<Site>;
  /** Without tables either, which it gets as an installation does. */
  emptySite(parts: Parts): Promise<Site>;
}

function siteOf(parts: Parts, settings: Settings, ways: OwnWays): Site {
  const config = readConfig(settings);
  return {
    ...ways,
    settings,
    async open(options = {}) {
      const store = await openStore(config, { create: true, serve: true, ...options });
      let closed: Promise<void> | undefined;
      const close = () => {
        closed ??= store.close();
        return closed;
      };
      return parts.keep({ ...store, close });
    },
    reads: async () => parts.keep(await openConsoleReads(config)),
  };
}

/** Whether a text asks for the holds that are open. */
const OF_HOLDS = /\b(?:from|update|into|join)\s+holds\b/;
const CHANGES = /^\s*(?:update|insert|delete)\b/;

/** The rows of a file as those see it who know of the journal, and of the holds in memory. */
function readMoney<T>(folder: string, text: string, isLocked: boolean): T[] {
  const db = new Database(join(folder, "faregate.sqlite"), { readwrite: true, safeIntegers: true });
  try {
    db.run("pragma busy_timeout = 10000");
    const isOfHolds = OF_HOLDS.test(text);
    // While nobody can write, nothing has been settled that would have to be seen. A server that is held
    // still may be the one that writes, which whoever looks at its holds must not wait for.
    const isBehind = !isLocked && !(isOfHolds && !CHANGES.test(text));
    // To be ready for a journal takes longer than to see that there is nothing in it.
    if (isBehind && db.query("select 1 from journal limit 1").get()) applyJournal(db, Date.now());
    if (isOfHolds) showHolds(db, join(folder, "holds.map"));
    return db.query(text).all() as T[];
  } finally {
    db.close();
  }
}

/** Puts the holds that are open before the table of holds, for this connection alone. */
function showHolds(db: Database, path: string): void {
  db.run("create temp table holds as select * from main.holds");
  const put = db.query("insert into temp.holds values (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?)");
  const isKnown = db.query("select 1 from temp.holds where id = ?");
  for (const hold of existsSync(path) ? readSlots(path) : []) {
    if (isKnown.get(hold.id)) continue;
    const { id, account_id, key_id, amount, input_cost, model, endpoint, channel } = hold;
    const rest = [Number(hold.stream), Number(hold.created_at)] as const;
    put.run(id, account_id, key_id, amount, input_cost, model, endpoint, channel, ...rest);
  }
  db.run(`delete from temp.holds where id in (
    select hold_id from entries where kind in ('post', 'void')
    union select json_extract(record, '$[2][0]') from journal)`);
}

/** Does something to entries and receipts that their triggers refuse. */
export function withoutTriggers(db: Database, work: () => void): void {
  const triggers = db
    .query<{ name: string; sql: string }, []>(
      "select name, sql from sqlite_schema where type = 'trigger' and tbl_name in ('entries', 'receipts')",
    )
    .all();
  db.transaction(() => {
    for (const { name } of triggers) db.run(`drop trigger ${name}`);
    work();
    for (const { sql } of triggers) db.run(sql);
  }).immediate();
}

function sqliteSite(parts: Parts, folder: string): Site {
  const open = (file: string) => {
    const db = new Database(join(folder, file), { readwrite: true, safeIntegers: true });
    db.run("pragma busy_timeout = 10000");
    return db;
  };
  let isLocked = false;
  /** Whoever keeps the books looks at once, and not within a second. */
  const tell = async () => {
    const connection = await OwnerConnection.open(folder);
    await connection?.ask({ port: "books", name: "lookAgain", args: [] });
    connection?.close();
  };
  return siteOf(
    parts,
    { FAREGATE_DATA: folder },
    {
      async run<T>(text: string) {
        if (!/\b(?:from|update|into)\s+response/.test(text)) {
          const rows = readMoney<T>(folder, text, isLocked);
          if (CHANGES.test(text)) await tell();
          return rows;
        }
        // Opened for each statement: a connection that stays would keep the file from being recovered.
        const db = open("responses.sqlite");
        try {
          return db.query(text).all() as T[];
        } finally {
          db.close();
        }
      },
      async together(texts) {
        const db = open("faregate.sqlite");
        try {
          db.run("pragma foreign_keys = on");
          db.transaction(() => texts.forEach((text) => void db.run(text))).immediate();
        } finally {
          db.close();
        }
      },
      async damage(text) {
        const db = open("faregate.sqlite");
        try {
          applyJournal(db, Date.now());
          withoutTriggers(db, () => db.run(text));
        } finally {
          db.close();
        }
        await tell();
      },
      console: async () => parts.keep(await SqliteSql.open(join(folder, "console.sqlite"))),
      async lockWrites() {
        const db = open("faregate.sqlite");
        db.run("begin immediate");
        isLocked = true;
        return async () => {
          isLocked = false;
          db.close();
        };
      },
      // Whoever writes waits for whoever else does, for ten seconds.
      async stall() {
        const db = open("faregate.sqlite");
        db.run("begin immediate");
        return async () => db.close();
      },
      // What a killed process had not written, nobody writes.
      atRest: async () => {},
      // A commit that is in the log, but of which the dead could not tell those who share its memory, is
      // found by the next start. So it is in a copy, which is shared with nobody.
      async asLeft<T>(text: string) {
        const copy = parts.folder();
        for (const name of ["faregate.sqlite", "faregate.sqlite-wal", "holds.map"]) {
          if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
        }
        return readMoney<T>(copy, text, false);
      },
      // The lock of a process that is gone is free at once.
      forgetTheDead: async () => {},
    },
  );
}

export const SQLITE: Engine = {
  name: "SQLite",
  async site(parts) {
    const folder = parts.folder();
    await copyFiles(folder);
    return sqliteSite(parts, folder);
  },
  emptySite: async (parts) => sqliteSite(parts, parts.folder()),
};

/** Each is a process of PostgreSQL, and all of them are opened with the first question. */
const FEW_CONNECTIONS = {
  FAREGATE_DATABASE_CONNECTIONS_MAX: "3",
  FAREGATE_CONSOLE_CONNECTIONS_MAX: "1",
};

function postgresSite(parts: Parts, url: string): Site {
  const connect = () =>
    parts.adopt(new SQL(url, { max: 1, bigint: true }), (opened) => opened.close({ timeout: 0 }));
  const sql = connect();
  return siteOf(
    parts,
    { FAREGATE_DATA: parts.folder(), DATABASE_URL: url, ...FEW_CONNECTIONS },
    {
      run: async (text) => [...(await sql.unsafe(text))],
      together: (texts) =>
        sql.begin(async (tx) => {
          for (const text of texts) await tx.unsafe(text);
        }),
      async damage(text) {
        await sql.begin(async (tx) => {
          await tx.unsafe("set local session_replication_role = replica");
          await tx.unsafe(text);
        });
      },
      asLeft: async (text) => [...(await sql.unsafe(text))],
      async console() {
        const connections = new Connections(url, 2, 500);
        const close = () => connections.close();
        return parts.keep(Object.assign(new PostgresSql(connections), { close }));
      },
      async lockWrites() {
        // Beside the one that asks what there is meanwhile.
        const connection = await connect().reserve();
        await connection.unsafe("begin");
        await connection.unsafe("lock table holds, entries, receipts in share row exclusive mode");
        return async () => {
          await connection.unsafe("rollback");
          connection.release();
        };
      },
      async stall() {
        const elsewhere = Object.assign(new URL(url), { pathname: "postgres" }).href;
        const admin = parts.adopt(new SQL(elsewhere, { max: 1 }), (opened) => opened.close());
        const name = new URL(url).pathname.slice(1);
        const allow = (isAllowed: boolean) =>
          admin.unsafe(`alter database ${name} allow_connections ${isAllowed}`);
        const others = () =>
          sql.unsafe(
            `select pid from pg_stat_activity where datname = current_database()
               and pid <> pg_backend_pid() and backend_type = 'client backend'`,
          );
        // Who asks is connected then; nobody else gets in; and whoever is there, whatever it is at, may not answer.
        await others();
        await allow(false);
        const found = await others();
        for (const { pid } of found) signal(pid, "SIGSTOP");
        return async () => {
          for (const { pid } of found.splice(0)) signal(pid, "SIGCONT");
          await allow(true);
        };
      },
      // A commit that was sent before the kill is carried out by the server after it.
      async atRest() {
        const busy = `select 1 from pg_stat_activity where datname = current_database()
            and pid <> pg_backend_pid() and state <> 'idle'`;
        await eventually(
          "the server has done what it was sent",
          async () => (await sql.unsafe(busy)).length === 0,
        );
      },
      async forgetTheDead() {
        await sql.unsafe("update owners set lease_until = 0");
      },
    },
  );
}

export const POSTGRES: Engine = {
  name: "PostgreSQL",
  site: async (parts) => postgresSite(parts, await copyDatabase(await sharedPostgres())),
  emptySite: async (parts) => postgresSite(parts, await (await sharedPostgres()).createDatabase()),
};

/** As in `describe.each(ENGINES)("… on $name", (engine) => …)`. */
export const ENGINES: readonly Engine[] = [SQLITE, POSTGRES];

/**
 * A suite of what stands above the tables, on both engines. Where there is little time it runs on one, and the next one
 * on the other: the tables themselves are tested on both, and so is every operation, in test/contract.
 */
export function onEngines(title: string, suite: (engine: Engine) => void): void {
  const one = Bun.hash.crc32(title) % ENGINES.length;
  describe.each(isHurried ? ENGINES.slice(one, one + 1) : ENGINES)(title, suite);
}

/** The tables of these rooms alone. */
export async function tablesOn(parts: Parts, engine: Engine, ...rooms: RoomTables[]) {
  const site = await engine.site(parts);
  const sql = await site.console();
  await migrateRooms(sql, rooms);
  /** Another handle on the same tables, as another process would have. */
  const again = () => site.console();
  return { sql, again };
}
