import {
  ADD_MATERIAL,
  ADD_NEWS,
  COUNT_MATERIAL,
  DELETE_MATERIAL,
  GET_MATERIAL,
  LIST_MATERIAL,
  UPDATE_NEWS,
  UPLOAD_NEWS,
} from "../contract/media.ts";
import {
  type Endpoint,
  endpointsWith,
  OK,
  type PlatformAnswer,
  type PlatformCall,
} from "../endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import { mediaIdField, pageFields } from "../protocol/fields.ts";
import { type JsonObject, member, wireObject } from "../protocol/json.ts";
import { contentTypeOf } from "./file-format.ts";
import type { StoredMedia } from "./media.ts";
import type { MediaServices } from "./media-endpoints.ts";
import { publicPath } from "./media-library.ts";
import { readMediaType, readUpload } from "./upload-form.ts";

type Handler = (services: MediaServices, call: PlatformCall) => Promise<PlatformAnswer>;

const LISTED = ["image", "voice", "video"] as const;

function urlOf(media: StoredMedia, call: PlatformCall): JsonObject {
  const isShown = media.type === "image" || media.type === "thumb";
  return isShown ? { url: `${call.origin}${publicPath(media)}` } : {};
}

const add: Handler = async ({ library, rules }, call) => {
  const type = readMediaType(call);
  const { appid } = call.account;
  const media = await library.add(appid, "permanent", type, readUpload(call), call.nowMs);
  const more = rules.talkative && { item: [] };
  return { media_id: media.media_id, ...urlOf(media, call), ...more };
};

const get: Handler = async ({ library }, call) => {
  const mediaId = mediaIdField(wireObject(call.json()));
  const media = await library.find(call.account.appid, mediaId, "permanent", call.nowMs);
  if (media === undefined) throw new PlatformError(40007, "media_id");
  if (media.type === "video") {
    const { title, introduction } = media;
    return { title, description: introduction, down_url: `${call.origin}${publicPath(media)}` };
  }
  return { bytes: await library.read(media), contentType: contentTypeOf(media) };
};

const batchGet: Handler = async ({ library }, call) => {
  const body = wireObject(call.json());
  const wanted = member(body, "type");
  const { offset, count } = pageFields(body);
  // Articles live in the draft box and are no material any more.
  if (wanted === "news") return { total_count: 0, item_count: 0, item: [] };
  const type = LISTED.find((each) => each === wanted);
  if (type === undefined) throw new PlatformError(40004, "type");
  const { appid } = call.account;
  const total = (await library.counts(appid)).get(type) ?? 0;
  const item = (await library.list(appid, type, offset, count)).map((media) => ({
    media_id: media.media_id,
    name: media.file_name,
    update_time: Math.floor(media.created_at / 1000),
    ...urlOf(media, call),
  }));
  return { total_count: total, item_count: item.length, item };
};

const count: Handler = async ({ library }, call) => {
  const counts = await library.counts(call.account.appid);
  return {
    voice_count: counts.get("voice") ?? 0,
    video_count: counts.get("video") ?? 0,
    image_count: counts.get("image") ?? 0,
    news_count: 0,
  };
};

const remove: Handler = async ({ library }, call) => {
  await library.remove(call.account.appid, mediaIdField(wireObject(call.json())));
  return OK;
};

/** Articles were material once. Who still sends them so is told to use the draft box. */
const closed: Handler = async () => {
  throw new PlatformError(45106);
};

export function materialEndpoints(services: MediaServices): readonly Endpoint[] {
  const at = endpointsWith(services, [11, 100]);
  return [
    { ...at(ADD_MATERIAL, add, "media_upload"), tooLarge: 45001 },
    at(GET_MATERIAL, get, "material_get"),
    at(LIST_MATERIAL, batchGet, "material_batchget"),
    at(COUNT_MATERIAL, count, "material_count"),
    at(DELETE_MATERIAL, remove, "material_delete"),
    at(ADD_NEWS, closed),
    at(UPDATE_NEWS, closed),
    at(UPLOAD_NEWS, closed),
  ];
}
