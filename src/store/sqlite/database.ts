import { Database } from "bun:sqlite";

/** How long one process waits for another that is writing. */
const BUSY_TIMEOUT_MS = 10_000;

/** Milliseconds since 1970, by the clock that the writer goes by too. */
export const NOW_MS_SQL = "cast(round(unixepoch('subsec') * 1000) as integer)";

function setPragma(db: Database, name: string, value: string, expected: string | number): void {
  // Run, never prepared: a prepared pragma may act at the wrong time or not at all.
  db.run(`pragma ${name} = ${value}`);
  const row = db.query(`pragma ${name}`).get() as Record<string, unknown> | null;
  const read = row ? Object.values(row)[0] : undefined;
  const actual = typeof read === "bigint" ? Number(read) : read;
  if (actual !== expected) {
    throw new Error(`SQLite kept ${name} at ${String(actual)} instead of ${expected}`);
  }
}

/** FULL survives a power cut with every commit; NORMAL may lose the last ones, never the file. */
type Flushing = "FULL" | "NORMAL";

const LEVELS: Readonly<Record<Flushing, number>> = { FULL: 2, NORMAL: 1 };

interface FileOptions {
  readonly create: boolean;
  readonly synchronous: Flushing;
  /** Whole numbers are read as bigint, whatever their size. */
  readonly safeIntegers?: boolean;
}

/** Outside of transactions. Checked, because a level that was not taken would not show. */
export function setFlushing(db: Database, level: Flushing): void {
  setPragma(db, "synchronous", level, LEVELS[level]);
}

/** Opens a file for reading and writing, with its durability checked rather than hoped for. */
export function openFile(path: string, options: FileOptions): Database {
  const { create, safeIntegers = false } = options;
  const db = new Database(path, { create, readwrite: true, strict: true, safeIntegers });
  db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  setPragma(db, "journal_mode", "WAL", "wal");
  setFlushing(db, options.synchronous);
  setPragma(db, "foreign_keys", "ON", 1);
  return db;
}

export function openReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** Brings the tables to the newest version, once, whoever comes first. */
export function migrate(db: Database, versions: readonly string[]): void {
  db.run("begin immediate");
  try {
    const { user_version: version } = db.query("pragma user_version").get() as {
      user_version: number;
    };
    if (version > versions.length) {
      throw new Error(
        "This database was written by a newer Faregate; upgrade this one to open it.",
      );
    }
    for (const text of versions.slice(version)) db.run(text);
    db.run(`pragma user_version = ${versions.length}`);
    db.run("commit");
  } catch (thrown) {
    db.run("rollback");
    throw thrown;
  }
}
