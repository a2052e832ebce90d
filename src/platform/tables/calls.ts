import { Rows } from "../../lib/sql/tables.ts";
import type { CallRecord, PlatformTables } from "./schema.ts";

const COLUMNS = [
  "rid",
  "appid",
  "at",
  "cost_ms",
  "method",
  "path",
  "url",
  "request_body",
  "response_body",
  "client_ip",
  "errcode",
  "field",
] as const;

/** An offset wants a limit, on one of the engines; more than can pile up between two trims. */
const REST = 1_000_000;

export class CallRows extends Rows<PlatformTables> {
  async add(call: CallRecord): Promise<void> {
    await this.tables.insertInto("platform_calls").values(call).execute();
  }

  find(rid: string): Promise<CallRecord | undefined> {
    return this.tables
      .selectFrom("platform_calls")
      .select(COLUMNS)
      .where("rid", "=", rid)
      .executeTakeFirst();
  }

  /** Newest first; of one account, or all. */
  list(appid: string | undefined, limit: number): Promise<readonly CallRecord[]> {
    const all = this.tables.selectFrom("platform_calls").select(COLUMNS);
    return (appid === undefined ? all : all.where("appid", "=", appid))
      .orderBy("at", "desc")
      .orderBy("rid", "desc")
      .limit(limit)
      .execute();
  }

  async removeOutside(fromMs: number, toMs: number): Promise<void> {
    await this.tables
      .deleteFrom("platform_calls")
      .where(({ or, eb }) => or([eb("at", "<", fromMs), eb("at", ">", toMs)]))
      .execute();
  }

  /**
   * Leaves the newest `keep` calls of an account, or of those that were nobody's. Those that lie after `latestMs` were
   * recorded before a clock was set back, and go first.
   */
  async trim(appid: string | null, keep: number, latestMs: number): Promise<void> {
    await this.tables
      .deleteFrom("platform_calls")
      .where("rid", "in", ({ selectFrom }) =>
        selectFrom("platform_calls")
          .select("rid")
          .where("appid", appid === null ? "is" : "=", appid)
          .orderBy(({ eb }) => eb("at", "<=", latestMs), "desc")
          .orderBy("at", "desc")
          .orderBy("rid", "desc")
          .limit(REST)
          .offset(keep),
      )
      .execute();
  }
}
