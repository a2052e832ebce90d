import { parentPort, workerData } from "node:worker_threads";
import type { Verification } from "../../ledger/books.ts";
import { verifyBooks } from "../verification.ts";
import { openReader } from "./database.ts";

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

/**
 * In one read transaction, or a settlement between two sums would look like a hole; and on a
 * connection of its own, or other reads would see the past for as long as it takes.
 */
async function verify(path: string): Promise<Verification> {
  const db = openReader(path);
  try {
    db.run("begin");
    return await verifyBooks((sql) => db.query(sql).all(), LINES_SQL);
  } finally {
    db.close();
  }
}

async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  try {
    const verification = await verify((workerData as { path: string }).path);
    port.postMessage({ verification } satisfies VerifyReply);
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown.message : String(thrown);
    port.postMessage({ failure } satisfies VerifyReply);
  }
}

if (parentPort) void main(parentPort);
