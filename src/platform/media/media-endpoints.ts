import { GET_TEMPORARY, UPLOAD_IMAGE, UPLOAD_TEMPORARY } from "../contract/media.ts";
import {
  type Endpoint,
  endpointsWith,
  OK,
  type PlatformAnswer,
  type PlatformCall,
} from "../endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import type { ProfileRules } from "../profile.ts";
import { contentTypeOf } from "./file-format.ts";
import { type MediaLibrary, publicPath } from "./media-library.ts";
import { readMediaType, readUpload } from "./upload-form.ts";

export interface MediaServices {
  readonly library: MediaLibrary;
  readonly rules: ProfileRules;
}

type Handler = (services: MediaServices, call: PlatformCall) => Promise<PlatformAnswer>;

/** A picture for the text of articles: it has an address and no media id. */
const uploadImage: Handler = async ({ library }, call) => {
  const { appid } = call.account;
  const media = await library.add(appid, "body", "image", readUpload(call), call.nowMs);
  return { url: `${call.origin}${publicPath(media)}`, ...OK };
};

const uploadTemporary: Handler = async ({ library, rules }, call) => {
  const type = readMediaType(call);
  const { appid } = call.account;
  const media = await library.add(appid, "temporary", type, readUpload(call), call.nowMs);
  const createdAt = Math.floor(media.created_at / 1000);
  // The real one has kept the name that thumbs had long ago.
  return rules.talkative && type === "thumb"
    ? { type, thumb_media_id: media.media_id, created_at: createdAt }
    : { type, media_id: media.media_id, created_at: createdAt };
};

const getTemporary: Handler = async ({ library }, call) => {
  const mediaId = call.query.get("media_id") ?? "";
  if (mediaId === "") throw new PlatformError(41006, "media_id");
  const media = await library.find(call.account.appid, mediaId, "temporary", call.nowMs);
  if (media === undefined) throw new PlatformError(40007, "media_id");
  return { bytes: await library.read(media), contentType: contentTypeOf(media) };
};

export function mediaEndpoints(services: MediaServices): readonly Endpoint[] {
  const pictures = endpointsWith(services, [1, 8, 9, 11, 18, 37, 100]);
  const files = endpointsWith(services, [11, 100]);
  return [
    { ...pictures(UPLOAD_IMAGE, uploadImage, "media_upload"), tooLarge: 40009 },
    { ...files(UPLOAD_TEMPORARY, uploadTemporary, "media_upload"), tooLarge: 45001 },
    files(GET_TEMPORARY, getTemporary),
  ];
}
