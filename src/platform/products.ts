import { randomBytes } from "node:crypto";
import { GIVE_CARD } from "./contract/account.ts";
import { type Endpoint, endpointsWith, OK, type PlatformCall } from "./endpoint.ts";
import { PlatformError } from "./platform-error.ts";
import { type JsonObject, member, wireObject } from "./protocol/json.ts";
import type { ProductRows } from "./tables/products.ts";

/** Which cards an article of each type may carry. */
const CARD_TYPES: Readonly<Record<string, readonly number[]>> = {
  news: [0, 1, 2],
  newspic: [1, 2, 3],
};
const PRODUCT_ID = /^\d{1,32}$/;
const KEY = /^[\w-]{1,128}$/;

/** Whether a key is one that this account was given for a product. */
export async function isProductKey(
  store: ProductRows,
  appid: string,
  key: string,
): Promise<boolean> {
  return KEY.test(key) && (await store.has(appid, key));
}

async function giveCard(store: ProductRows, call: PlatformCall): Promise<JsonObject> {
  const body = wireObject(call.json());
  const productId = member(body, "product_id");
  const articleType = member(body, "article_type");
  const cardType = member(body, "card_type");
  if (typeof productId !== "string" || !PRODUCT_ID.test(productId))
    throw new PlatformError(10170001);
  if (typeof articleType !== "string" || !Object.hasOwn(CARD_TYPES, articleType)) {
    throw new PlatformError(10170002);
  }
  if (typeof cardType !== "number" || !CARD_TYPES[articleType]?.includes(cardType)) {
    throw new PlatformError(10170003);
  }
  const key = await store.add({
    key: randomBytes(32).toString("base64url"),
    appid: call.account.appid,
    product_id: productId,
    article_type: articleType,
    card_type: cardType,
    created_at: call.nowMs,
  });
  return {
    ...OK,
    product_key: key,
    DOM: `<mp-common-product data-product-key="${key}" data-card-type="${cardType}"></mp-common-product>`,
  };
}

export function productEndpoints(store: ProductRows): readonly Endpoint[] {
  // Third parties may not call it, whatever they were authorised to.
  return [endpointsWith(store, [])(GIVE_CARD, giveCard)];
}
