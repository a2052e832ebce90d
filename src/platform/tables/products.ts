import { Rows } from "../../lib/sql/tables.ts";
import type { PlatformTables } from "./schema.ts";

/** A product card that was given out, by its key. */
interface ProductCard {
  readonly key: string;
  readonly appid: string;
  readonly productId: string;
  readonly articleType: string;
  readonly cardType: number;
}

export class ProductRows extends Rows<PlatformTables> {
  /** The card's key, the old one if it was given out before. */
  async add(card: ProductCard, nowMs: number): Promise<string> {
    const row = await this.tables
      .insertInto("platform_products")
      .values({
        key: card.key,
        appid: card.appid,
        product_id: card.productId,
        article_type: card.articleType,
        card_type: card.cardType,
        created_at: nowMs,
      })
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
