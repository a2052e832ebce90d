import { sql } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** How many tries there may be in a window of a fixed length. */
export interface WindowTerms {
  readonly nowMs: number;
  readonly windowMs: number;
  readonly max: number;
}

/** No window lasts as long, nor does anything else that is kept beside them. */
const KEPT_MS = 24 * 3_600_000;

/** Tries that several instances count together, in windows. They are kept beside wrong passwords, under names of their own. */
export class TryWindowsTable extends Rows<AccountsTables> {
  /**
   * Counts a try in the window of its name, unless that is full: then how long it still lasts. One statement, so that
   * tries at the same instant are counted one after the other. The window begins with the first of its tries.
   */
  async take(name: string, { nowMs, windowMs, max }: WindowTerms): Promise<number> {
    const beganAt = sql.ref("sign_in_attempts.last_at");
    const tries = sql.ref("sign_in_attempts.failures");
    // One that is to begin yet has been there since before a clock was set back, unless it is only another's clock,
    // or another's try, that was a little ahead.
    const [oldest, newest] = [nowMs - windowMs, nowMs + windowMs];
    const over = sql<boolean>`(${beganAt} <= ${oldest} or ${beganAt} > ${newest})`;
    const taken = await this.tables
      .insertInto("sign_in_attempts")
      .values({ name, failures: 1, last_at: nowMs, free_at: 0 })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({
            failures: sql<number>`case when ${over} then 1 else ${tries} + 1 end`,
            last_at: sql<number>`case when ${over} then ${nowMs} else ${beganAt} end`,
          })
          .where(({ eb, or }) => or([over, eb("sign_in_attempts.failures", "<", max)])),
      )
      .returning("failures")
      .execute();
    // Whoever begins a window takes away those that have been over for long.
    if (taken[0]?.failures === 1) await this.#forgetOld(nowMs);
    if (taken.length > 0) return 0;
    const windows = this.tables.selectFrom("sign_in_attempts").select("last_at");
    const row = await windows.where("name", "=", name).executeTakeFirst();
    return Math.max(1, (row?.last_at ?? 0) + windowMs - nowMs);
  }

  /** A try that should not have counted. */
  async giveBack(name: string): Promise<void> {
    await this.tables
      .updateTable("sign_in_attempts")
      .set(({ eb }) => ({ failures: eb("failures", "-", 1) }))
      .where("name", "=", name)
      .where("failures", ">", 0)
      .execute();
  }

  async #forgetOld(nowMs: number): Promise<void> {
    await this.tables
      .deleteFrom("sign_in_attempts")
      .where("last_at", "<", nowMs - KEPT_MS)
      .where("free_at", "<=", nowMs)
      .execute();
  }
}
