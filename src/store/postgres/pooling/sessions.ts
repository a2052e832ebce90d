import { SQL } from "bun";
import { ConfigError } from "../../../config/config.ts";
import type { Settings } from "./pool.ts";

const POOLER =
  "DATABASE_URL leads to a pooler, such as PgBouncer, that does not keep connections as they were made. " +
  "Add ?prepare=false to DATABASE_URL, and Faregate does without that; or name the database itself";

/** A name that only we set, so that it tells whose session this is. */
const SESSION_MARK = "faregate.seat";
const SESSION_MARK_SQL = `select current_setting('${SESSION_MARK}', true) as mark`;

interface MarkRow {
  readonly mark: string | null;
}

/**
 * Throws where what stands between us and the database deals out its connections by the transaction, or
 * drops what they were opened with. That the database cannot be reached is for others to tell. `set`: what one of them
 * was opened with, as the database says it.
 */
export async function mustKeepSessions(one: SQL, other: SQL, set: Settings): Promise<void> {
  if (await isShared(one, other, set)) throw new ConfigError(POOLER);
}

async function isShared(one: SQL, other: SQL, set: Settings): Promise<boolean> {
  const mark = crypto.randomUUID();
  const isSet = Object.entries(set).map(
    ([name, value]) => `current_setting('${name}') = '${value}'`,
  );
  try {
    // Without parameters, since those would be prepared, which is what may not work.
    const [found] = await one.unsafe<{ is_kept: boolean }[]>(
      `select ${isSet.join(" and ")} as is_kept, set_config('${SESSION_MARK}', '${mark}', false)`,
    );
    if (!found?.is_kept) return true;
    // Whoever begins a transaction now gets the session that has just become free, if it is not kept for us.
    return await other.begin(async (tx) => {
      const [theirs] = await tx.unsafe<MarkRow[]>(SESSION_MARK_SQL);
      const [ours] = await one.unsafe<MarkRow[]>(SESSION_MARK_SQL);
      return theirs?.mark === mark || ours?.mark !== mark;
    });
  } catch (thrown) {
    return isRefusalOfSettings(thrown);
  }
}

/** PgBouncer takes no settings with a connection but those that it was told to. */
function isRefusalOfSettings(thrown: unknown): boolean {
  const isProtocol = thrown instanceof SQL.PostgresError && thrown.errno === "08P01";
  return isProtocol && thrown.message.includes("startup parameter");
}
