import {
  ADD_DRAFT,
  COUNT_DRAFTS,
  DELETE_DRAFT,
  GET_DRAFT,
  LIST_DRAFTS,
  SHOW_DRAFT_SWITCH,
  UPDATE_DRAFT,
} from "../contract/drafts.ts";
import { type Endpoint, endpointsWith, OK, type PlatformCall } from "../endpoint.ts";
import type { Media } from "../image-lookup.ts";
import { PlatformError } from "../platform-error.ts";
import type { ProfileRules } from "../profile.ts";
import { mediaIdField, pageFields } from "../protocol/fields.ts";
import { isJsonObject, type JsonObject, member, wireObject } from "../protocol/json.ts";
import type { ProductRows } from "../tables/products.ts";
import type { ArticleJudge } from "./article-rules.ts";
import type { ContentThreads } from "./content-threads.ts";
import type { BoxedDraft } from "./draft.ts";
import type { DraftBox } from "./draft-box.ts";
import { newsItems } from "./news-item.ts";

interface DraftServices {
  readonly box: DraftBox;
  readonly media: Media;
  readonly products: ProductRows;
  readonly contents: ContentThreads;
  readonly rules: ProfileRules;
}

type Handler = (services: DraftServices, call: PlatformCall) => Promise<JsonObject>;

function judgeOf(services: DraftServices, { account, origin }: PlatformCall): ArticleJudge {
  const { rules, media, products, contents } = services;
  return { account, origin, rules, media, products, contents };
}

function itemContext({ rules, media }: DraftServices, call: PlatformCall, withContent: boolean) {
  return { account: call.account, origin: call.origin, rules, media, withContent };
}

async function draftOf(services: DraftServices, call: PlatformCall): Promise<BoxedDraft> {
  const mediaId = mediaIdField(wireObject(call.json()));
  const draft = await services.box.find(call.account.appid, mediaId);
  if (draft === undefined) throw new PlatformError(40007, "media_id");
  return draft;
}

const add: Handler = async (services, call) => {
  const articles = member(wireObject(call.json()), "articles");
  const mediaId = await services.box.add(articles, judgeOf(services, call), call.nowMs);
  return { media_id: mediaId, ...(services.rules.talkative && { item: [] }) };
};

const get: Handler = async (services, call) =>
  newsItems(await draftOf(services, call), itemContext(services, call, true));

const batchGet: Handler = async (services, call) => {
  const { offset, count, withContent } = pageFields(wireObject(call.json()));
  const { appid } = call.account;
  const [total, drafts] = await Promise.all([
    services.box.count(appid),
    services.box.list(appid, offset, count),
  ]);
  const context = itemContext(services, call, withContent);
  const items = drafts.map(async (draft) => ({
    media_id: draft.mediaId,
    content: await newsItems(draft, context),
    update_time: Math.floor(draft.updatedAtMs / 1000),
  }));
  return { total_count: total, item_count: drafts.length, item: await Promise.all(items) };
};

const count: Handler = async ({ box }, call) => ({
  total_count: await box.count(call.account.appid),
});

/** One article here, not a list as in an add. */
const update: Handler = async (services, call) => {
  const body = wireObject(call.json());
  const article = member(body, "articles");
  if (article == null) throw new PlatformError(44003, "articles");
  if (!isJsonObject(article)) throw new PlatformError(47001, "articles");
  const draft = await draftOf(services, call);
  const index = member(body, "index") ?? 0;
  if (typeof index !== "number") throw new PlatformError(40114, "index");
  await services.box.replace(draft, index, article, judgeOf(services, call), call.nowMs);
  return OK;
};

const remove: Handler = async ({ box }, call) => {
  const mediaId = mediaIdField(wireObject(call.json()));
  if (await box.remove(call.account.appid, mediaId)) return OK;
  throw new PlatformError(40007, "media_id");
};

/** The switch was thrown for everybody long ago, and cannot be thrown back. */
const showSwitch: Handler = async () => ({ ...OK, is_open: 1 });

export function draftEndpoints(services: DraftServices): readonly Endpoint[] {
  const at = endpointsWith(services, [11, 100]);
  return [
    at(ADD_DRAFT, add, "draft_add"),
    at(GET_DRAFT, get, "draft_get"),
    at(LIST_DRAFTS, batchGet, "draft_batchget"),
    at(COUNT_DRAFTS, count, "draft_count"),
    at(UPDATE_DRAFT, update, "draft_update"),
    at(DELETE_DRAFT, remove, "draft_delete"),
    at(SHOW_DRAFT_SWITCH, showSwitch),
  ];
}
