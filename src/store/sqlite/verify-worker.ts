import type { Database } from "bun:sqlite";
import type { Verification } from "../../ledger/books.ts";
import { inThread } from "../../lib/threads/thread.ts";
import { verifyBooks } from "../money/verification.ts";
import { closeFile, openReader } from "./database.ts";
import { missingNumbers } from "./journal/missing-numbers.ts";

export interface VerifySettings {
  readonly path: string;
}

export interface VerifyReply {
  readonly verification?: Verification;
  readonly failure?: string;
}

const LINES_SQL = `
  select id as subject, cast(cost as text) as kept, cast(summed as text) as summed from (
    select r.id, r.cost,
      (select (coalesce(sum(json_extract(value, '$[1]') * cast(json_extract(value, '$[2]') as integer)), 0)
        + 999) / 1000 from json_each(r.lines)) as summed
    from receipts r
  ) where cost <> summed`;

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
    const verified = await verifyBooks((sql) => db.query(sql).all(), LINES_SQL);
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
