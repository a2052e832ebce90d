import { Database } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { sharedPostgres } from "../postgres.ts";
import { temporaryFolder } from "../server.ts";
import { eventually } from "./waiting.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * A database that a server of a test works on, read beside the server or after its death. Texts are
 * plain SQL without parameters, so that one text runs on both engines.
 */
export interface TestDatabase {
  /** What the server and the commands need to find it. */
  readonly settings: Record<string, string>;
  rows<T extends Row = Row>(sql: string): Promise<T[]>;
  /** Whether a response is kept; it lies in a file of its own on SQLite. */
  hasResponse(id: string): Promise<boolean>;
  /** Keeps everybody else from writing until the result is called. */
  lockWrites(): Promise<() => Promise<void>>;
  /** Resolves once nothing that a killed process had begun can still be written. */
  atRest(): Promise<void>;
  /** Lets the time pass after which a process that was killed counts as dead. */
  forgetTheDead(): Promise<void>;
  remove(): Promise<void>;
}

export function sqliteDatabase(): TestDatabase {
  const folder = temporaryFolder();
  const read = <T>(file: string, sql: string): T[] => {
    // Opened for each read: a connection that stays would keep the file from being recovered.
    const db = new Database(join(folder.path, file), { readonly: true, safeIntegers: true });
    try {
      db.run("pragma busy_timeout = 10000");
      return db.query(sql).all() as T[];
    } finally {
      db.close();
    }
  };
  return {
    settings: { FAREGATE_DATA: folder.path },
    rows: async (sql) => read("faregate.sqlite", sql),
    hasResponse: async (id) =>
      read("responses.sqlite", `select id from responses where id = '${id}'`).length === 1,
    async lockWrites() {
      const db = new Database(join(folder.path, "faregate.sqlite"));
      db.run("pragma busy_timeout = 10000");
      db.run("begin immediate");
      return async () => db.close();
    },
    // What a killed process had not written, nobody writes.
    atRest: async () => {},
    // The lock of a process that is gone is free at once.
    forgetTheDead: async () => {},
    remove: async () => folder.remove(),
  };
}

export async function postgresDatabase(): Promise<TestDatabase> {
  const postgres = await sharedPostgres();
  const url = await postgres.createDatabase();
  const folder = temporaryFolder();
  const sql = new SQL(url, { max: 2, bigint: true });
  return {
    settings: { DATABASE_URL: url, FAREGATE_DATA: folder.path },
    rows: async (text) => [...(await sql.unsafe(text))],
    hasResponse: async (id) =>
      (await sql.unsafe(`select id from responses where id = '${id}'`)).length === 1,
    async lockWrites() {
      const connection = await sql.reserve();
      await connection.unsafe("begin");
      await connection.unsafe("lock table holds, entries, receipts in share row exclusive mode");
      return async () => {
        await connection.unsafe("rollback");
        connection.release();
      };
    },
    // A commit that was sent before the kill is carried out by the server after it.
    async atRest() {
      const busy = `select 1 from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state <> 'idle'`;
      await eventually("the server has done what it was sent", async () =>
        (await sql.unsafe(busy)).length === 0 ? true : undefined,
      );
    },
    async forgetTheDead() {
      await sql.unsafe("update owners set lease_until = 0");
    },
    async remove() {
      await sql.close({ timeout: 0 });
      folder.remove();
    },
  };
}

/** The engines that a suite about money runs on. */
export const ENGINES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ["SQLite", async () => sqliteDatabase()],
  ["PostgreSQL", postgresDatabase],
];

export async function openHolds(
  database: TestDatabase,
): Promise<{ id: string; amount: bigint; stream: boolean }[]> {
  const rows = await database.rows("select id, amount, stream from holds order by id");
  return rows.map((row) => ({
    id: String(row.id),
    amount: BigInt(row.amount as bigint),
    stream: Number(row.stream) === 1,
  }));
}

export interface ReceiptRow {
  readonly id: string;
  readonly keyId: string;
  readonly responseId: string | null;
  readonly status: number;
  readonly reason: string;
  readonly errorCode: string | null;
  readonly cost: bigint;
  /** The hold as it was at admission. */
  readonly held: bigint;
}

export async function receipts(database: TestDatabase): Promise<ReceiptRow[]> {
  const rows = await database.rows(
    "select id, key_id, response_id, status, billing_reason, error_code, cost, held from receipts",
  );
  return rows.map((row) => ({
    id: String(row.id),
    keyId: String(row.key_id),
    responseId: row.response_id === null ? null : String(row.response_id),
    status: Number(row.status),
    reason: String(row.billing_reason),
    errorCode: row.error_code === null ? null : String(row.error_code),
    cost: BigInt(row.cost as bigint),
    held: BigInt(row.held as bigint),
  }));
}

export interface EntryRow {
  readonly kind: string;
  readonly amount: bigint;
  readonly holdId: string | null;
}

export async function entries(database: TestDatabase): Promise<EntryRow[]> {
  const rows = await database.rows("select kind, amount, hold_id from entries");
  return rows.map((row) => ({
    kind: String(row.kind),
    amount: BigInt(row.amount as bigint),
    holdId: row.hold_id === null ? null : String(row.hold_id),
  }));
}
