import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { ARTICLE_TYPES } from "../../wechat/article.ts";
import {
  BARE_PAGE,
  FLAG,
  MEDIA_ID,
  OK,
  ONE_MEDIA,
  pageOf,
  platformGet,
  platformPost,
  seconds,
  total,
} from "./platform-call.ts";

const article = z
  .looseObject({
    article_type: z.enum(ARTICLE_TYPES).optional().describe("`news` by default."),
    title: told(z.string(), "Shown in lists.", "A title"),
    author: told(z.string(), "Shown below the title.").optional(),
    digest: told(z.string(), "Shown if there is no space for the text.").optional(),
    content: told(
      z.string(),
      "HTML; elements that the platform does not allow are removed.",
      "<p>Text</p>",
    ),
    content_source_url: told(z.string(), "Where the article was first.").optional(),
    thumb_media_id: told(z.string(), "The cover, a permanent image; `news` needs one.").optional(),
    need_open_comment: FLAG.describe("Whether there are comments.").optional(),
    only_fans_can_comment: FLAG.describe("Whether only followers may comment.").optional(),
    image_info: told(z.looseObject({}), "The pictures of a `newspic`.").optional(),
    cover_info: told(z.looseObject({}), "How the cover is cut.").optional(),
    product_info: told(z.looseObject({}), "The product below the text.").optional(),
  })
  .meta({ id: "PlatformArticle" });

/** An article as it is read back, of a draft or of what was published. */
export const newsItem = z
  .looseObject({
    title: told(z.string(), "As it was sent.", "A title"),
    content: told(
      z.string(),
      "The filtered content; absent if it was not requested.",
      "<p>Text</p>",
    ).optional(),
    thumb_media_id: told(z.string(), "The cover.", "cVr7Kx2Lm"),
    url: told(z.string(), "Where it can be looked at.", "http://127.0.0.1:8080/platform/s?…"),
  })
  .meta({ id: "PlatformNewsItem" });

export const news = z.looseObject({ news_item: z.array(newsItem) });

const EXAMPLE = { title: "A title", content: "<p>Text</p>", thumb_media_id: "cVr7Kx2Lm" };
const at = (name: string) => `/cgi-bin/draft/${name}`;

export const ADD_DRAFT = platformPost(at("add"), {
  summary: "Adds a draft with one or more articles.",
  body: z.looseObject({ articles: z.array(article).min(1) }),
  example: { articles: [EXAMPLE] },
  answer: ONE_MEDIA,
});
export const GET_DRAFT = platformPost(at("get"), {
  summary: "Shows a draft.",
  body: ONE_MEDIA,
  answer: news,
});
export const LIST_DRAFTS = platformPost(at("batchget"), {
  summary: "Lists drafts, newest first.",
  body: z.looseObject(BARE_PAGE),
  example: { offset: 0, count: 20, no_content: 1 },
  answer: pageOf(
    z.looseObject({
      media_id: MEDIA_ID,
      content: news,
      update_time: seconds("When it was changed."),
    }),
  ),
});
export const COUNT_DRAFTS = platformGet(at("count"), {
  summary: "Counts the drafts of the box.",
  answer: z.looseObject({ total_count: total }),
});
export const UPDATE_DRAFT = platformPost(at("update"), {
  summary: "Replaces one article of a draft.",
  body: z.looseObject({
    media_id: MEDIA_ID,
    index: told(z.int().min(0), "Which article; the first is 0.").optional(),
    articles: article.describe("One article, not a list."),
  }),
  example: { media_id: "mFq3x0Zc8", index: 0, articles: EXAMPLE },
  answer: OK,
});
export const DELETE_DRAFT = platformPost(at("delete"), {
  summary: "Deletes a draft.",
  body: ONE_MEDIA,
  answer: OK,
});
export const SHOW_DRAFT_SWITCH = platformPost(at("switch"), {
  summary: "Says that the draft box is on, as always.",
  body: z.looseObject({}),
  answer: OK.extend({ is_open: z.literal(1) }),
});
