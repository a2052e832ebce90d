import { workInThread } from "../../lib/threads/thread.ts";
import type { BoxedDraft } from "../../platform/draftbox/draft.ts";
import { type FramedArticle, frameHtml } from "./article-frame.ts";
import { draftToJson } from "./material-json.ts";

/** What reads the HTML of articles that anybody may have sent. */
export type MaterialTask = { readonly frame: FramedArticle } | { readonly draft: BoxedDraft };

workInThread(
  async (task: MaterialTask): Promise<unknown> =>
    "frame" in task ? frameHtml(task.frame) : draftToJson(task.draft),
);
