import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { MEDIA_TYPES } from "../media/media.ts";
import {
  MEDIA_ID,
  OK,
  ONE_MEDIA,
  PAGE,
  pageOf,
  platformGet,
  platformPost,
  REFUSAL,
  seconds,
} from "./platform-call.ts";

/** A form with one file, which must be called `media`. */
const FORM = "multipart/form-data";
const ANY_FILE = "*/*";
const upload = z.object({ media: z.file() });
const kind = z.object({ type: z.enum(MEDIA_TYPES).describe("What the file is.") });
const count = told(z.int(), "How many there are.", 1);
const URL = told(z.string(), "Where it is seen.", "http://127.0.0.1:8080/platform/mmbiz_jpg/x/0");

export const UPLOAD_IMAGE = platformPost("/cgi-bin/media/uploadimg", {
  summary: "Uploads a picture for a text; answers an address, no media id.",
  bodyType: FORM,
  body: upload,
  answer: OK.extend({ url: URL }),
});
export const UPLOAD_TEMPORARY = platformPost("/cgi-bin/media/upload", {
  summary: "Uploads a file that is kept for three days.",
  query: kind,
  bodyType: FORM,
  body: upload,
  answer: z.looseObject({
    type: z.enum(MEDIA_TYPES),
    media_id: told(
      z.string(),
      "Some profiles name it `thumb_media_id` for a thumb.",
      "mFq3x0Zc8",
    ).optional(),
    created_at: seconds("When it came."),
  }),
});
export const GET_TEMPORARY = platformGet("/cgi-bin/media/get", {
  summary: "Downloads a file that is kept for three days.",
  query: z.object({ media_id: MEDIA_ID }),
  bytes: ANY_FILE,
});

const at = (name: string) => `/cgi-bin/material/${name}`;

export const ADD_MATERIAL = platformPost(at("add_material"), {
  summary: "Uploads a file that is kept until it is deleted.",
  query: kind,
  bodyType: FORM,
  body: upload.extend({
    description: told(z.string(), "For a video: JSON with `title` and `introduction`.").optional(),
  }),
  answer: z.looseObject({ media_id: MEDIA_ID, url: URL.optional() }),
});
export const GET_MATERIAL = platformPost(at("get_material"), {
  summary: "Shows a kept file; a video is JSON with `down_url`.",
  body: ONE_MEDIA,
  bytes: ANY_FILE,
});
export const LIST_MATERIAL = platformPost(at("batchget_material"), {
  summary: "Lists the kept files of a kind, newest first.",
  body: z.looseObject({ type: z.enum(["image", "voice", "video", "news"]), ...PAGE }),
  answer: pageOf(
    z.looseObject({
      media_id: MEDIA_ID,
      name: told(z.string(), "As its uploader called it.", "cover.jpg"),
      update_time: seconds("When it came."),
      url: URL.optional(),
    }),
  ),
});
export const COUNT_MATERIAL = platformGet(at("get_materialcount"), {
  summary: "Counts kept files by kind.",
  answer: z.looseObject({
    voice_count: count,
    video_count: count,
    image_count: count,
    news_count: told(z.literal(0), "Articles are no longer material."),
  }),
});
export const DELETE_MATERIAL = platformPost(at("del_material"), {
  summary: "Deletes a kept file.",
  body: ONE_MEDIA,
  answer: OK,
});

/** Articles were material once; these calls only say so. */
const closed = (path: string) =>
  platformPost(path, {
    summary: "Refused with 45106: articles go to the draft box.",
    body: z.looseObject({}),
    answer: REFUSAL,
  });

export const ADD_NEWS = closed(at("add_news"));
export const UPDATE_NEWS = closed(at("update_news"));
export const UPLOAD_NEWS = closed("/cgi-bin/media/uploadnews");
