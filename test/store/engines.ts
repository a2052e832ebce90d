// Both databases behind one interface, for the suites that must hold on each of them.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import type { OpenOptions, Store } from "../../src/store/store.ts";
import { sharedPostgres } from "../postgres.ts";

/** An empty database of its own. */
export interface Site {
  /** One more handle on it, as another process would have. Creating and serving unless told. */
  open(options?: Partial<OpenOptions>): Promise<Store>;
  /** A statement past the store, on a connection that knows nothing of it. */
  raw(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Closes every handle and removes the data. */
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: "SQLite" | "PostgreSQL";
  create(): Promise<Site>;
}

/** Keeps track of the handles, so that a failed test leaves none open. */
function handles(open: (options: OpenOptions) => Promise<Store>) {
  const opened: Store[] = [];
  return {
    async open(options: Partial<OpenOptions> = {}) {
      const store = await open({ create: true, serve: true, ...options });
      let closed: Promise<void> | undefined;
      const { close } = store;
      const once: Store = {
        ...store,
        close() {
          closed ??= close();
          return closed;
        },
      };
      opened.push(once);
      return once;
    },
    async closeAll() {
      for (const store of opened) await store.close();
    },
  };
}

const sqlite: Engine = {
  name: "SQLite",
  async create() {
    const folder = mkdtempSync(join(tmpdir(), "faregate-store-"));
    const { open, closeAll } = handles((options) => openSqlite(folder, options));
    return {
      open,
      async raw(text) {
        const file = /\bresponse/.test(text) ? "responses.sqlite" : "faregate.sqlite";
        const db = new Database(join(folder, file), { readwrite: true });
        try {
          db.run("pragma busy_timeout = 10000");
          return db.query(text).all() as Record<string, unknown>[];
        } finally {
          db.close();
        }
      },
      async remove() {
        await closeAll();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const postgres: Engine = {
  name: "PostgreSQL",
  async create() {
    const url = await (await sharedPostgres()).createDatabase();
    const { open, closeAll } = handles((options) => openPostgres(url, options));
    const sql = new SQL(url, { max: 1, bigint: true });
    return {
      open,
      raw: async (text) => (await sql.unsafe(text)) as Record<string, unknown>[],
      async remove() {
        await closeAll();
        await sql.close();
      },
    };
  },
};

export const ENGINES: readonly Engine[] = [sqlite, postgres];
