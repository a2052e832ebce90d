import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { news } from "./drafts.ts";
import { BARE_PAGE, OK, ONE_MEDIA, pageOf, platformPost, seconds } from "./platform-call.ts";

const PUBLISH_ID = told(
  z.union([z.int(), z.string()]),
  "The id of the publication.",
  2_247_483_647,
);
const ARTICLE_ID = told(z.string(), "The id of the published article.", "a1B2c3D4");
const at = (name: string) => `/cgi-bin/freepublish/${name}`;

export const SUBMIT_PUBLICATION = platformPost(at("submit"), {
  summary: "Starts publishing a draft.",
  body: ONE_MEDIA,
  answer: OK.extend({ publish_id: PUBLISH_ID }),
});
export const GET_PUBLICATION = platformPost(at("get"), {
  summary: "Shows the state of a publication.",
  body: z.looseObject({ publish_id: PUBLISH_ID }),
  answer: z.looseObject({
    publish_id: PUBLISH_ID,
    publish_status: told(z.int(), "0: done. 1: in progress. All others: failed.", 0),
    article_id: ARTICLE_ID.optional(),
    article_detail: told(z.looseObject({}), "The addresses of its articles.").optional(),
    fail_idx: told(z.array(z.int()), "Which articles were refused.", []),
  }),
});
export const LIST_PUBLISHED = platformPost(at("batchget"), {
  summary: "Lists publications, newest first.",
  body: z.looseObject(BARE_PAGE),
  example: { offset: 0, count: 20, no_content: 1 },
  answer: pageOf(
    z.looseObject({
      article_id: ARTICLE_ID,
      content: news,
      update_time: seconds("When it was published."),
    }),
  ),
});
export const GET_PUBLISHED = platformPost(at("getarticle"), {
  summary: "Shows the articles of a publication.",
  body: z.looseObject({ article_id: ARTICLE_ID }),
  answer: news,
});
export const DELETE_PUBLISHED = platformPost(at("delete"), {
  summary: "Deletes one article of a publication, or all.",
  body: z.looseObject({
    article_id: ARTICLE_ID,
    index: told(z.int().min(0), "Which article; the first is 1, and 0 are all.").optional(),
  }),
  example: { article_id: "a1B2c3D4", index: 1 },
  answer: OK,
});
export const SEND_TO_ALL = platformPost("/cgi-bin/message/mass/sendall", {
  summary: "Sends a draft to all followers.",
  body: z.looseObject({
    msgtype: z.literal("mpnews"),
    mpnews: ONE_MEDIA,
    clientmsgid: told(z.string(), "The same value is sent once.").optional(),
  }),
  example: { msgtype: "mpnews", mpnews: { media_id: "mFq3x0Zc8" }, clientmsgid: "order-17" },
  answer: OK.extend({
    msg_id: told(z.int(), "The id of the mass send.", 1_000_000_001),
    msg_data_id: told(z.int(), "The same.", 1_000_000_001),
  }),
});
