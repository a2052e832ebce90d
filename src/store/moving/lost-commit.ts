import { fateOf } from "../postgres/batches/commit-fate.ts";
import type { Run } from "../postgres/connections.ts";
import { Pool } from "../postgres/pooling/pool.ts";

/** How long to ask whether a move has come to pass whose last answer was lost. */
const DOUBT_MS = 5_000;

/** Whether the transaction of that number is kept, by new connections; undefined where nobody can say. */
export async function wasMoved(url: string, xid: string): Promise<boolean | undefined> {
  const pool = new Pool(url, 1, { application_name: "faregate" });
  const read = (async (text, params) => await pool.sql.unsafe(text, [...params])) as Run;
  // Where nothing was moved there is no account yet.
  const hasAccounts = async () => {
    try {
      return (await read("select 1 from accounts limit 1", [])).length > 0;
    } catch {
      return undefined;
    }
  };
  try {
    return await fateOf(read, xid, hasAccounts, DOUBT_MS);
  } finally {
    await pool.sql.close({ timeout: 0 });
  }
}
