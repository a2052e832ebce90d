import type { Operation } from "../../lib/contract.ts";
import { coverUrl } from "../article-address.ts";
import {
  DELETE_PUBLISHED,
  GET_PUBLICATION,
  GET_PUBLISHED,
  LIST_PUBLISHED,
  SUBMIT_PUBLICATION,
} from "../contract/publishing.ts";
import { type Endpoint, OK, type PlatformCall } from "../endpoint.ts";
import type { Media } from "../image-lookup.ts";
import { PlatformError } from "../platform-error.ts";
import { mediaIdField, pageFields } from "../protocol/fields.ts";
import { type JsonObject, member, wireObject } from "../protocol/json.ts";
import { articleUrl, type Publication } from "./publication.ts";
import type { Publishing } from "./publishing.ts";

interface PublishServices {
  readonly publishing: Publishing;
  readonly media: Media;
}

type Handler = (services: PublishServices, call: PlatformCall) => Promise<JsonObject>;

const submit: Handler = async ({ publishing }, call) => {
  const mediaId = mediaIdField(wireObject(call.json()));
  const publishId = await publishing.submit(call.account, mediaId, call.origin);
  return { ...OK, publish_id: publishId };
};

/** A number on the wire, and a text in the document: both are taken. */
function publishIdField(body: JsonObject): number {
  const value = member(body, "publish_id");
  const id = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  throw new PlatformError(40097, "publish_id");
}

const get: Handler = async ({ publishing }, call) => {
  const publishId = publishIdField(wireObject(call.json()));
  const publish = await publishing.find(call.account.appid, publishId);
  if (publish === undefined) throw new PlatformError(40097, "publish_id");
  const { status, articleId, articles, appid } = publish;
  const item = Array.from({ length: articles }, (_, i) => ({
    idx: i + 1,
    article_url: articleUrl(call.origin, appid, publishId, i + 1),
  }));
  return {
    publish_id: publishId,
    publish_status: status,
    ...(articleId && status === 0 && { article_id: articleId }),
    ...(articleId && status === 0 && { article_detail: { count: articles, item } }),
    fail_idx: publish.failed,
  };
};

async function itemsOf(
  { articles, deleted, appid, mid }: Publication,
  { media }: PublishServices,
  { origin }: PlatformCall,
  withContent: boolean,
): Promise<JsonObject> {
  const items = articles.map(async ({ content, ...article }, i) => ({
    ...article,
    ...(withContent && { content }),
    thumb_url: await coverUrl(media, origin, appid, article.thumb_media_id),
    url: articleUrl(origin, appid, mid, i + 1),
    is_deleted: deleted.includes(i + 1),
  }));
  return { news_item: await Promise.all(items) };
}

const batchGet: Handler = async (services, call) => {
  const { offset, count, withContent } = pageFields(wireObject(call.json()));
  const { appid } = call.account;
  const { total, publications } = await services.publishing.list(appid, offset, count);
  const items = publications.map(async (publication) => ({
    article_id: publication.articleId,
    content: await itemsOf(publication, services, call, withContent),
    update_time: Math.floor(publication.updatedAtMs / 1000),
  }));
  return { total_count: total, item_count: items.length, item: await Promise.all(items) };
};

function articleIdField(body: JsonObject): string {
  const id = member(body, "article_id");
  if (typeof id === "string" && /^[\w-]{1,128}$/.test(id)) return id;
  throw new PlatformError(53600, "article_id");
}

const getArticle: Handler = async (services, call) => {
  const articleId = articleIdField(wireObject(call.json()));
  const found = await services.publishing.publication(call.account.appid, articleId);
  if (found === undefined || found.isSent) throw new PlatformError(53600, "article_id");
  return itemsOf(found, services, call, true);
};

const remove: Handler = async ({ publishing }, call) => {
  const body = wireObject(call.json());
  const articleId = articleIdField(body);
  const index = member(body, "index") ?? 0;
  if (typeof index !== "number") throw new PlatformError(40114, "index");
  await publishing.remove(call.account.appid, articleId, index);
  return OK;
};

export function publishEndpoints(services: PublishServices): readonly Endpoint[] {
  const at = (operation: Operation, answer: Handler, quota: Endpoint["quota"]): Endpoint => ({
    operation,
    quota,
    sets: [7],
    async answer(call) {
      // Accounts that are not verified have none of these calls.
      if (!call.account.verified) throw new PlatformError(48001);
      return answer(services, call);
    },
  });
  return [
    at(SUBMIT_PUBLICATION, submit, "publish_submit"),
    at(GET_PUBLICATION, get, "publish_get"),
    at(LIST_PUBLISHED, batchGet, "publish_batchget"),
    at(GET_PUBLISHED, getArticle, "publish_getarticle"),
    at(DELETE_PUBLISHED, remove, "publish_delete"),
  ];
}
