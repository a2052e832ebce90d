import { type Database, SQLiteError } from "bun:sqlite";
import type { HoldRow } from "../../money/money-rows.ts";
import { AppliedRecords } from "./apply-records.ts";
import { type EndRows, RowsOneByOne, RowsTogether } from "./end-rows.ts";
import { type JournalStatements, prepareJournal } from "./journal-statements.ts";
import { type JournalRecord, readRecord } from "./record.ts";

/** Whether it is the record's own doing, and not that of the disk or of somebody who writes. */
function isOfTheRecord(thrown: unknown): boolean {
  if (!(thrown instanceof SQLiteError)) return true;
  return /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(thrown.code ?? "");
}

/**
 * Brings the journal into the rows that everybody reads: all of it or nothing, in the transaction in which
 * its records are taken out. So anybody may do it who may write, and whoever does it again finds nothing.
 */
export class JournalApplier {
  readonly #db: Database;
  readonly #sql: JournalStatements;
  /** As in the table, which the one who serves writes alone. */
  #holds: Map<string, HoldRow>;

  constructor(db: Database, sql: JournalStatements) {
    this.#db = db;
    this.#sql = sql;
    this.#holds = this.#readHolds();
  }

  /** Holds that have a row. */
  get holds(): Map<string, HoldRow> {
    return this.#holds;
  }

  #readHolds(): Map<string, HoldRow> {
    return new Map(this.#sql.holds.all().map((hold) => [hold.id, hold]));
  }

  /** What was undone in the file is undone here. */
  readAgain(): void {
    this.#holds = this.#readHolds();
  }

  /** Inside of a transaction that may write. Returns how many records there were. */
  apply(nowMs: number): number {
    const records = this.#sql.records.all();
    if (records.length === 0) return 0;
    const texts = records.map(({ record }) => record);
    const ended = this.#applyTogether(texts) ?? this.#applyEach(texts, nowMs);
    this.#count(records, nowMs);
    this.#sql.forget.run();
    for (const id of ended) this.#holds.delete(id);
    return records.length;
  }

  /** Notes up to which number lines are rows now, and which numbers were missing among them. */
  #count(records: readonly { readonly seq: number }[], nowMs: number): void {
    const [first, last] = [records[0]?.seq ?? 0, records.at(-1)?.seq ?? 0];
    const isWhole = last - first === records.length - 1;
    if (isWhole && this.#sql.goOn.run(first, last).changes > 0) return;
    let before = this.#sql.lastLine.get()?.applied ?? 0;
    for (const { seq } of records) {
      // A program of before the numbers begins with one again, and nothing is missing for that.
      if (seq > before + 1) this.#sql.noteGap.run(before + 1, seq - 1, nowMs);
      before = Math.max(before, seq);
    }
    this.#sql.goOnAnyway.run(last);
  }

  #appliedTo(rows: EndRows): AppliedRecords {
    return new AppliedRecords(this.#sql, this.#holds, rows);
  }

  /** Undefined, with nothing done, when one of them cannot be applied, or has been before. */
  #applyTogether(texts: readonly string[]): readonly string[] | undefined {
    let records: JournalRecord[];
    try {
      records = texts.map(readRecord);
    } catch {
      return undefined;
    }
    return this.#trial(() => {
      const applied = this.#appliedTo(new RowsTogether(this.#sql));
      for (const record of records) applied.add(record);
      applied.finish();
      return applied.ended;
    });
  }

  /** One that cannot be applied is set aside, where `verify` names it; the others go on. */
  #applyEach(texts: readonly string[], nowMs: number): readonly string[] {
    return texts.flatMap((text) => {
      let reason = "";
      const ended = this.#trial(
        () => {
          const applied = this.#appliedTo(new RowsOneByOne(this.#sql));
          applied.add(readRecord(text));
          applied.finish();
          return applied.ended;
        },
        (thrown) => {
          reason = thrown instanceof Error ? thrown.message : String(thrown);
        },
      );
      if (!ended) this.#sql.setAside.run(text, reason, nowMs);
      return ended ?? [];
    });
  }

  #trial<T>(work: () => T, failed: (thrown: unknown) => void = () => {}): T | undefined {
    this.#db.run("savepoint trial");
    try {
      const done = work();
      this.#db.run("release trial");
      return done;
    } catch (thrown) {
      this.#db.run("rollback to trial");
      this.#db.run("release trial");
      if (!isOfTheRecord(thrown)) throw thrown;
      failed(thrown);
      return undefined;
    }
  }
}

/** For whoever reads where nobody keeps the books at the moment, on a connection that may write. */
export function applyJournal(db: Database, nowMs: number): void {
  const sql = prepareJournal(db);
  sql.begin.run();
  try {
    new JournalApplier(db, sql).apply(nowMs);
    sql.commit.run();
  } catch (thrown) {
    // On a full disk SQLite has taken it back by itself.
    if (db.inTransaction) sql.rollback.run();
    throw thrown;
  }
}
