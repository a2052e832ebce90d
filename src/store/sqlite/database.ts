import { Database } from "bun:sqlite";
import type { RoomTables } from "../../lib/sql/sql.ts";
import { untoldMarkSql } from "../migrations/hard-balances.ts";
import { APPLIED_TABLE_SQL, type Found, planUpgrade, type Upgrade } from "../migrations/upgrade.ts";

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

/** At once: without being told to, Bun leaves a file open for as long as there is a statement that was prepared for it. */
export function closeFile(db: Database): void {
  db.close(true);
}

export function openReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** The least version of a program stands where the version once stood. */
function leastIn(db: Database): number {
  return (db.query("pragma user_version").get() as { user_version: number }).user_version;
}

/** What a file says of the tables in it. */
function foundIn(db: Database, room: string): Found {
  const rows = db
    .query("select checksum from applied_versions where room = ? order by version")
    .all(room) as { checksum: string }[];
  return { least: leastIn(db), checksums: rows.map(({ checksum }) => checksum) };
}

/** What would make the tables today's. Throws where they are not for this program. Nothing is written. */
export function upgradeOf(db: Database, tables: RoomTables): Upgrade {
  const isWritten = db.query("select 1 from sqlite_schema where name = 'applied_versions'").get();
  const found = isWritten ? foundIn(db, tables.room) : { least: leastIn(db), checksums: [] };
  return planUpgrade(tables, found);
}

/**
 * Brings the tables to the newest version, once, whoever comes first. Before something is taken away, `contracts`
 * may throw.
 */
export function migrate(db: Database, tables: RoomTables, contracts: () => void = () => {}): void {
  db.run("begin immediate");
  try {
    db.run(APPLIED_TABLE_SQL);
    const upgrade = planUpgrade(tables, foundIn(db, tables.room));
    if (upgrade.contracts) contracts();
    for (const text of upgrade.texts) db.run(text);
    for (const { version, checksum } of upgrade.applied) {
      db.run("insert into applied_versions (room, version, checksum) values (?, ?, ?)", [
        tables.room,
        version,
        checksum,
      ]);
    }
    if (upgrade.applied.length > 0) db.run(`pragma user_version = ${upgrade.least}`);
    const mark = untoldMarkSql(upgrade);
    if (mark !== undefined) db.run(mark);
    db.run("commit");
  } catch (thrown) {
    // On a full disk SQLite has taken it back by itself.
    if (db.inTransaction) db.run("rollback");
    throw thrown;
  }
}
