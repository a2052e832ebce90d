import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { closeFile, openReader } from "../sqlite/database.ts";
import { DATABASE_FILES } from "../sqlite/files/database-files.ts";

/** What only the files have, to work as they do: nothing of it is about anybody. */
const OF_THE_FILES = [
  ...[
    "journal",
    "journal_set_aside",
    "journal_position",
    "journal_gaps",
    "key_changes",
    "replace_guard",
  ],
  // Written by whoever makes the tables.
  ...["room_versions", "applied_versions"],
];

export interface SourceTable {
  readonly db: Database;
  readonly name: string;
  readonly rows: number;
}

export type Value = string | bigint | number | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Those that a table refers to come before it. */
function inOrder(names: readonly string[], referred: (name: string) => string[]): string[] {
  const done = new Set<string>();
  const take = (name: string): void => {
    if (done.has(name) || !names.includes(name)) return;
    done.add(name);
    for (const other of referred(name)) if (other !== name) take(other);
    // Behind those that it needs.
    done.delete(name);
    done.add(name);
  };
  for (const name of names) take(name);
  return [...done];
}

/** The files of a data folder in which nobody works, to be read from the first row to the last. */
export class MoveSource {
  readonly #files: readonly Database[];
  readonly tables: readonly SourceTable[];

  constructor(folder: string) {
    this.#files = DATABASE_FILES.map((name) => openReader(join(folder, name)));
    this.tables = this.#files.flatMap((db) => this.#tablesOf(db));
  }

  #tablesOf(db: Database): SourceTable[] {
    const names = db
      .query<{ name: string }, []>(
        `select name from sqlite_schema
         where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by rowid`,
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => !OF_THE_FILES.includes(name));
    const referred = (name: string) =>
      db
        .query<{ table: string }, [string]>('select "table" from pragma_foreign_key_list(?)')
        .all(name)
        .map(({ table }) => table);
    const count = (name: string) =>
      (db.query(`select count(*) as rows from ${quoted(name)}`).get() as { rows: number }).rows;
    return inOrder(names, referred).map((name) => ({ db, name, rows: count(name) }));
  }

  columns({ db, name }: SourceTable): string[] {
    const text = "select name from pragma_table_info(?)";
    return db
      .query<{ name: string }, [string]>(text)
      .all(name)
      .map((column) => column.name);
  }

  /** Whole numbers are bigint, whatever their size. */
  rows(table: SourceTable): IterableIterator<Row> {
    const columns = this.columns(table).map(quoted).join(", ");
    const text = `select ${columns} from ${quoted(table.name)}`;
    return table.db.query<Row, []>(text).safeIntegers(true).iterate();
  }

  /** The rows of a statement about money. */
  money(text: string): unknown[][] {
    const [money] = this.#files;
    return money?.query(text).values() ?? [];
  }

  close(): void {
    for (const db of this.#files) closeFile(db);
  }
}
