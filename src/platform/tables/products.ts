import { Rows } from "../../lib/sql/tables.ts";
import type { PlatformTables } from "./schema.ts";

export class ProductRows extends Rows<PlatformTables> {
  /** The card's key, the old one if it was given out before. */
  async add(card: PlatformTables["platform_products"]): Promise<string> {
    const row = await this.tables
      .insertInto("platform_products")
      .values(card)
      .onConflict((conflict) =>
        conflict
          .columns(["appid", "product_id", "article_type", "card_type"])
          .doUpdateSet(({ ref }) => ({ created_at: ref("excluded.created_at") })),
      )
      .returning("key")
      .executeTakeFirst();
    return row?.key ?? card.key;
  }

  async has(appid: string, key: string): Promise<boolean> {
    const rows = await this.tables
      .selectFrom("platform_products")
      .select("key")
      .where(({ and }) => and({ key, appid }))
      .execute();
    return rows.length === 1;
  }
}
