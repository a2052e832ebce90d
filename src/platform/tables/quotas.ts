import { Rows } from "../../lib/sql/tables.ts";
import type { PlatformTables } from "./schema.ts";

export class QuotaRows extends Rows<PlatformTables> {
  /** One more of `name` in the period, unless `max` is reached: false then. */
  async count(appid: string, period: string, name: string, max: number): Promise<boolean> {
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

  async used(appid: string, period: string, name: string): Promise<number> {
    const row = await this.tables
      .selectFrom("platform_quotas")
      .select("used")
      .where(({ and }) => and({ appid, period, name }))
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  async setUsed(appid: string, period: string, name: string, used: number): Promise<void> {
    await this.tables
      .insertInto("platform_quotas")
      .values({ appid, period, name, used })
      .onConflict((conflict) =>
        conflict
          .columns(["appid", "period", "name"])
          .doUpdateSet(({ ref }) => ({ used: ref("excluded.used") })),
      )
      .execute();
  }

  async clear(appid: string, period: string): Promise<void> {
    await this.tables
      .deleteFrom("platform_quotas")
      .where(({ and }) => and({ appid, period }))
      .execute();
  }
}
