import { Rows } from "../../lib/sql/tables.ts";
import { DAILY_QUOTAS, type QuotaName } from "../quotas.ts";
import type { PlatformTables } from "./schema.ts";

const CLEARS_PER_MONTH = 10;
/** The platform's days begin at midnight of China. */
const ZONE_MS = 8 * 3_600_000;

/** `2026-11-15`, the day that a moment is counted in. */
function quotaDay(nowMs: number): string {
  return new Date(nowMs + ZONE_MS).toISOString().slice(0, 10);
}

/** What accounts have called today, in the database, so that all instances count together. */
export class Quotas extends Rows<PlatformTables> {
  /** Counts one call. False when the day's are used up: it is not counted then. */
  count(appid: string, name: QuotaName, nowMs: number): Promise<boolean> {
    return this.#count(appid, quotaDay(nowMs), name, DAILY_QUOTAS[name]);
  }

  async used(appid: string, name: QuotaName, nowMs: number): Promise<number> {
    const row = await this.tables
      .selectFrom("platform_quotas")
      .select("used")
      .where(({ and }) => and({ appid, period: quotaDay(nowMs), name }))
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  /** For tests: as if so many calls had been made today. */
  async setUsed(appid: string, name: QuotaName, used: number, nowMs: number): Promise<void> {
    await this.tables
      .insertInto("platform_quotas")
      .values({ appid, period: quotaDay(nowMs), name, used })
      .onConflict((conflict) =>
        conflict
          .columns(["appid", "period", "name"])
          .doUpdateSet(({ ref }) => ({ used: ref("excluded.used") })),
      )
      .execute();
  }

  /** Begins the account's day anew. False when it was done often enough this month. */
  async clear(appid: string, nowMs: number): Promise<boolean> {
    const period = quotaDay(nowMs);
    if (!(await this.#count(appid, period.slice(0, 7), "clear", CLEARS_PER_MONTH))) return false;
    await this.tables
      .deleteFrom("platform_quotas")
      .where(({ and }) => and({ appid, period }))
      .execute();
    return true;
  }

  /** One more of `name` in the period, unless `max` is reached: false then. */
  async #count(appid: string, period: string, name: string, max: number): Promise<boolean> {
    const rows = await this.tables
      .insertInto("platform_quotas")
      .values({ appid, period, name, used: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["appid", "period", "name"])
          .doUpdateSet((eb) => ({ used: eb("platform_quotas.used", "+", eb.lit(1)) }))
          .where("platform_quotas.used", "<", max),
      )
      .returning("used")
      .execute();
    return rows.length === 1;
  }
}
