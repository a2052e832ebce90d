import type { PlatformArticle } from "../../wechat/article.ts";
import type { Dependencies } from "../dependencies.ts";
import { findDraft } from "../kept-drafts.ts";
import { isGone, replyValue } from "../platform-api/reply-value.ts";
import { donePush } from "../push/push-draft.ts";
import { differencesOf, type ReadBack } from "./read-back.ts";

/** What the box has under a draft now, beside what was sent. */
export async function readDraft(
  deps: Dependencies,
  accountId: string,
  draftId: string,
): Promise<ReadBack> {
  const { reconciler, publicAccounts, clientFor } = deps;
  const known = await findDraft(deps, accountId, draftId);
  const nothing = { articles: undefined, url: null, differences: [] };
  if (known.mediaId === null || known.status === "published") return { ...nothing, draft: known };
  const client = clientFor(await publicAccounts.find(accountId, known.publicAccountId));
  const draft = known.status === "publishing" ? await reconciler.follow(known, client) : known;
  if (draft.mediaId === null || draft.status === "published") return { ...nothing, draft };
  const reply = await client.get(draft.mediaId);
  if (isGone(reply)) return { ...nothing, draft: await reconciler.gone(draft, client) };
  const articles = replyValue(reply, { draft_id: draftId });
  const sent = await donePush(deps, draft);
  const submitted = JSON.parse(sent?.request ?? "[]") as readonly PlatformArticle[];
  const url = articles[0]?.url ?? null;
  const differences = sent ? differencesOf(submitted, articles) : [];
  return { draft, articles, url, differences };
}
