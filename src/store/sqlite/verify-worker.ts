import { type Database, SQLiteError } from "bun:sqlite";
import type { Verification } from "../../ledger/books.ts";
import { inThread } from "../../lib/threads/thread.ts";
import { type Difference, verifyBooks } from "../money/verification.ts";
import { closeFile, openReader } from "./database.ts";
import { missingNumbers } from "./journal/missing-numbers.ts";

export interface VerifySettings {
  readonly path: string;
}

export interface VerifyReply {
  readonly verification?: Verification;
  readonly failure?: string;
}

/** Lines of a receipt come to some hundred characters. */
const LINES_CHARS_MAX = 10_000;

/** What the lines of a receipt come to, rounded up; undefined where they are none. */
function costOf(lines: string): bigint | undefined {
  if (lines.length > LINES_CHARS_MAX) return undefined;
  try {
    let pico = 0n;
    for (const [, quantity, unit] of JSON.parse(lines)) pico += BigInt(quantity) * BigInt(unit);
    return (pico + 999n) / 1_000n;
  } catch {
    return undefined;
  }
}

/** Added up here: a product of two numbers of SQLite's may be more than it can count, and is then no whole number. */
function wrongLines(db: Database): Difference[] {
  const text = "select id, cost, lines from receipts";
  const rows = db.query<{ id: string; cost: bigint; lines: string }, []>(text).safeIntegers(true);
  const wrong: Difference[] = [];
  for (const { id, cost, lines } of rows.iterate()) {
    const summed = costOf(lines);
    if (summed === cost) continue;
    wrong.push({ subject: id, kept: String(cost), summed: summed?.toString() ?? null });
  }
  return wrong;
}

/** What SQLite says of a sum that is too large; a file that cannot be read has codes of its own. */
function isOfRows(thrown: unknown): boolean {
  return thrown instanceof SQLiteError && thrown.code === "SQLITE_ERROR";
}

/** Lines of the journal that are in no sum, because they could not be made into rows. */
function setAside(db: Database): string[] {
  const rows = db
    .query<{ seq: number; record: string; reason: string }, []>(
      "select seq, record, reason from journal_set_aside order by seq",
    )
    .all();
  return rows.map(({ seq, record, reason }) => {
    const id = /req_[0-9a-z]+/.exec(record)?.[0] ?? `line ${seq} of journal_set_aside`;
    return `${id}: what was settled could not be entered and is set aside: ${reason}`;
  });
}

/**
 * In one read transaction, or a settlement between two sums would look like a hole; and on a
 * connection of its own, or other reads would see the past for as long as it takes.
 */
async function verify(path: string): Promise<Verification> {
  const db = openReader(path);
  try {
    db.run("begin");
    const verified = await verifyBooks({
      query: (sql) => db.query(sql).all(),
      wrongLines: () => wrongLines(db),
      isOfRows,
    });
    return {
      ...verified,
      problems: [...verified.problems, ...missingNumbers(db), ...setAside(db)],
    };
  } finally {
    closeFile(db);
  }
}

inThread<VerifySettings, VerifyReply>(async ({ path }, port) => {
  try {
    port.post({ verification: await verify(path) });
  } catch (thrown) {
    port.post({ failure: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
