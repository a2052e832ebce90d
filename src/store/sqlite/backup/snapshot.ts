import { Database } from "bun:sqlite";
import type { Progress } from "../../progress.ts";

/** Rows that go over in one statement, before somebody is told how far it is. */
const ROWS_AT_ONCE = 20_000;
const BUSY_TIMEOUT_MS = 10_000;

interface Table {
  readonly name: string;
  readonly sql: string;
  /** Rows have no number of their own. */
  readonly isWithoutNumbers: boolean;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * A database as it was at one moment, which is when this is made; it is copied at leisure while others go on
 * writing. The copy is made table by table, by SQLite's own statements within one transaction: `vacuum into` has a
 * moment of its own, so that several files would be of several moments.
 */
export class Snapshot {
  readonly #db: Database;

  constructor(source: string, copy: string) {
    this.#db = new Database(copy, { create: true, readwrite: true, strict: true });
    try {
      // Nothing of the copy is worth a flush before it is whole, and one that fails is thrown away.
      for (const setting of ["journal_mode = off", "synchronous = off", "foreign_keys = off"]) {
        this.#db.run(`pragma ${setting}`);
      }
      this.#db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#db.run("attach ? as source", [source]);
      this.#db.run("begin");
      // The first read is the moment.
      this.#db.query("select count(*) from source.sqlite_schema").get();
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Copies all of it, and tells how many of its rows are there. */
  async copy(progress: Progress): Promise<void> {
    const tables = this.#tables();
    const total = tables.reduce((sum, table) => sum + this.#count(table), 0);
    let done = 0;
    for (const table of tables) {
      this.#db.run(table.sql);
      for (const where of this.#parts(table)) {
        done += this.#insert(table, where);
        await progress("copying", done, total);
      }
    }
    for (const sql of this.#others()) this.#db.run(sql);
    const { user_version } = this.#db.query("pragma source.user_version").get() as {
      user_version: number;
    };
    this.#db.run(`pragma main.user_version = ${user_version}`);
    this.#db.run("commit");
  }

  /** The rows of a table by their numbers, or all of it where they have none. */
  *#parts({ name, isWithoutNumbers }: Table): Generator<string> {
    if (isWithoutNumbers) {
      yield "";
      return;
    }
    let beyond = "true";
    for (;;) {
      const part = `select rowid as n from source.${quoted(name)} where ${beyond} order by n limit ${ROWS_AT_ONCE}`;
      const text = `select max(n) as last from (${part})`;
      const { last } = this.#db.query(text).get() as { last: number | null };
      if (last === null) return;
      yield `where ${beyond} and rowid <= ${last}`;
      beyond = `rowid > ${last}`;
    }
  }

  #insert({ name }: Table, where: string): number {
    const columns = this.#db
      .query<{ name: string }, [string]>("select name from pragma_table_info(?, 'source')")
      .all(name)
      .map((column) => quoted(column.name))
      .join(", ");
    const rows = `select ${columns} from source.${quoted(name)} ${where}`;
    return this.#db.run(`insert into main.${quoted(name)} (${columns}) ${rows}`).changes;
  }

  #tables(): Table[] {
    const rows = this.#db
      .query<{ name: string; sql: string; wr: number }, []>(
        `select s.name, s.sql, l.wr from source.sqlite_schema s
         join pragma_table_list l on l.name = s.name and l.schema = 'source'
         where s.type = 'table' and s.name not like 'sqlite\\_%' escape '\\' order by s.rowid`,
      )
      .all();
    return rows.map(({ name, sql, wr }) => ({ name, sql, isWithoutNumbers: wr === 1 }));
  }

  #count({ name }: Table): number {
    const text = `select count(*) as rows from source.${quoted(name)}`;
    return (this.#db.query(text).get() as { rows: number }).rows;
  }

  /** Indexes and what the database does by itself, when the rows are there. */
  #others(): string[] {
    const rows = this.#db
      .query<{ sql: string }, []>(
        `select sql from source.sqlite_schema where type <> 'table' and sql is not null
         order by type = 'trigger', rowid`,
      )
      .all();
    return rows.map(({ sql }) => sql);
  }

  close(): void {
    this.#db.close();
  }
}
