import { ARTICLE_TYPES, type ArticleType } from "../../wechat/article.ts";
import type { PublicAccount } from "../account.ts";
import type { Media } from "../image-lookup.ts";
import { PlatformError } from "../platform-error.ts";
import { isProductKey } from "../products.ts";
import type { ProfileRules } from "../profile.ts";
import { asFlag } from "../protocol/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, member } from "../protocol/json.ts";
import type { ProductRows } from "../tables/products.ts";
import { flagField, listField, objectField, requiredText, textField } from "./article-fields.ts";
import type { ContentThreads } from "./content-threads.ts";
import type { StoredContent } from "./content-work.ts";
import type { StoredArticle } from "./draft.ts";

/** What an article is judged with. */
export interface ArticleJudge {
  readonly account: PublicAccount;
  readonly rules: ProfileRules;
  readonly media: Media;
  readonly products: ProductRows;
  readonly contents: ContentThreads;
  /** Where the platform is reached, for its own images. */
  readonly origin: string;
}

const IMAGES_MAX = 20;
const MEDIA_ID = /^[\w-]{1,128}$/;
/** No reader follows these anywhere. */
const SCRIPT_ADDRESS = /^\s*(?:javascript|vbscript|data)\s*:/i;

const bytesOf = (text: string) => Buffer.byteLength(text);

function articleType(article: JsonObject, known: ArticleType): ArticleType {
  const text = textField(article, "article_type") || known;
  const found = ARTICLE_TYPES.find((type) => type === text);
  if (found === undefined) throw new PlatformError(40035, "article_type");
  return found;
}

/** Title, author, digest and source, in the order in which the platform looks at them. */
function shortTexts(article: JsonObject, rules: ProfileRules) {
  const within = (text: string, max: number, errcode: number, field: string) => {
    if (rules.measure(text) > max) throw new PlatformError(errcode, field);
    return text;
  };
  const title = requiredText(article, "title");
  within(title, rules.titleMax, 45003, "title");
  const author = within(textField(article, "author"), rules.authorMax, 45110, "author");
  const digest = within(textField(article, "digest"), rules.digestMax, 45004, "digest");
  const sourceUrl = textField(article, "content_source_url");
  if (bytesOf(sourceUrl) > rules.sourceUrlBytesMax) {
    throw new PlatformError(45005, "content_source_url");
  }
  if (SCRIPT_ADDRESS.test(sourceUrl)) throw new PlatformError(41039, "content_source_url");
  return { title, author, digest, content_source_url: sourceUrl };
}

function readContent(
  article: JsonObject,
  type: ArticleType,
  { account, contents, rules, origin }: ArticleJudge,
): Promise<StoredContent> {
  const content = requiredText(article, "content");
  const { contentBytesMax, visibleCharsMax, imageTextCharsMax } = rules;
  const bounds = { contentBytesMax, visibleCharsMax, imageTextCharsMax };
  return contents.store(account.appid, { content, type, bounds, origin });
}

/** A media id of drafts: an image of this account that stays. */
async function requireImage(mediaId: string, field: string, judge: ArticleJudge): Promise<void> {
  const { account, media } = judge;
  const found = MEDIA_ID.test(mediaId) ? await media.findImage(account.appid, mediaId) : undefined;
  const isImage = found?.type === "image" || found?.type === "thumb";
  if (!found?.permanent || !isImage) throw new PlatformError(40007, field);
}

async function readThumb(article: JsonObject, type: ArticleType, judge: ArticleJudge) {
  const thumb = textField(article, "thumb_media_id");
  if (type === "news" || thumb !== "") await requireImage(thumb, "thumb_media_id", judge);
  return thumb;
}

async function readImages(article: JsonObject, type: ArticleType, judge: ArticleJudge) {
  const info = objectField(article, "image_info");
  const images = info === undefined ? [] : listField(info, "image_list");
  if (images.length > IMAGES_MAX || (type === "newspic" && images.length === 0)) {
    throw new PlatformError(40035, "image_info");
  }
  const kept: JsonObject[] = [];
  for (const image of images) {
    if (!isJsonObject(image)) throw new PlatformError(40035, "image_info");
    const id = textField(image, "image_media_id");
    await requireImage(id, "image_info", judge);
    kept.push({ image_media_id: id });
  }
  return kept.length === 0 ? undefined : { image_list: kept };
}

/** How a cover is cut: of the right shape, and otherwise taken at its word. */
function readCrops(article: JsonObject) {
  const wide = textField(article, "pic_crop_235_1");
  const square = textField(article, "pic_crop_1_1");
  const cover = objectField(article, "cover_info");
  if (cover && !listField(cover, "crop_percent_list").every(isJsonObject)) {
    throw new PlatformError(40035, "cover_info");
  }
  return {
    ...(wide !== "" && { pic_crop_235_1: wide }),
    ...(square !== "" && { pic_crop_1_1: square }),
    ...(cover && { cover_info: cover }),
  };
}

function readComments(article: JsonObject, { account, rules }: ArticleJudge) {
  const open = flagField(article, "need_open_comment", rules);
  const fansOnly = flagField(article, "only_fans_can_comment", rules);
  if (open === 1 && !account.comments) throw new PlatformError(88000, "need_open_comment");
  return { need_open_comment: open, only_fans_can_comment: fansOnly };
}

/** Whether the account may sell, and sells what it was given a card for. */
async function requireProduct(
  key: JsonValue | undefined,
  field: string,
  { account, products }: ArticleJudge,
): Promise<string> {
  if (account.product === "restricted") throw new PlatformError(53404, field);
  if (account.product === "off") throw new PlatformError(53406, field);
  if (typeof key !== "string" || !(await isProductKey(products, account.appid, key))) {
    throw new PlatformError(53405, field);
  }
  return key;
}

/** The product below the article. */
async function readProduct(article: JsonObject, judge: ArticleJudge) {
  const value = member(article, "product_info") ?? undefined;
  if (value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)) {
    return undefined;
  }
  const footer = isJsonObject(value) ? member(value, "footer_product_info") : undefined;
  const key = isJsonObject(footer) ? member(footer, "product_key") : undefined;
  return { footer_product_info: { product_key: await requireProduct(key, "product_info", judge) } };
}

export interface JudgedArticle {
  readonly article: StoredArticle;
  /** The first words of its content. */
  readonly opening: string;
}

/**
 * One article by every rule of its fields, as the box will keep it, or the refusal of the first
 * that is broken. `known` is its type where it does not say one. The digest is as it was sent.
 */
export async function judgeArticle(
  article: JsonObject,
  judge: ArticleJudge,
  known: ArticleType = "news",
): Promise<JudgedArticle> {
  const type = articleType(article, known);
  const texts = shortTexts(article, judge.rules);
  const { content, opening, productKeys } = await readContent(article, type, judge);
  const thumb = await readThumb(article, type, judge);
  const images = await readImages(article, type, judge);
  const crops = readCrops(article);
  const comments = readComments(article, judge);
  for (const key of new Set(productKeys)) await requireProduct(key, "content", judge);
  const product = await readProduct(article, judge);
  const kept: StoredArticle = {
    article_type: type,
    ...texts,
    content,
    thumb_media_id: thumb,
    // Not in the document, but many senders have kept it from older calls.
    show_cover_pic: asFlag(member(article, "show_cover_pic")) ?? 0,
    ...comments,
    ...crops,
    ...(images && { image_info: images }),
    ...(product && { product_info: product }),
  };
  return { article: kept, opening };
}
