import { Fault } from "../../lib/faults.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { Dependencies } from "../dependencies.ts";
import type { PublicAccount, Push } from "../draft.ts";
import { createFound, type FoundDraft } from "../kept-drafts.ts";
import { boxName } from "../platform-api/platform-client.ts";
import { isGone, replyValue } from "../platform-api/reply-value.ts";
import {
  type RemoteArticle,
  type RemoteItem,
  type RemotePage,
  toDoc,
} from "../read-back/read-back.ts";
import { busyFault } from "./leases.ts";

/** What lies in the box itself, whoever put it there. */
export async function listBox(
  { publicAccounts, clientFor }: Dependencies,
  accountId: string,
  publicAccount: string | undefined,
  page: { readonly offset: number; readonly count: number },
): Promise<RemotePage> {
  const client = clientFor(await publicAccounts.find(accountId, publicAccount));
  return replyValue(await client.list(page.offset, page.count, false));
}

/**
 * A draft of the box as one of ours, for editing. The same one when it is known already; `push_busy`
 * when it may be what a push has put there that is not over.
 */
export async function importDraft(
  deps: Dependencies,
  accountId: string,
  publicAccount: string | undefined,
  mediaId: string,
  by: string,
): Promise<FoundDraft> {
  const { store, publicAccounts, clientFor, clock } = deps;
  const account = await publicAccounts.find(accountId, publicAccount);
  const reply = await clientFor(account).get(mediaId);
  if (isGone(reply)) throw new Fault("not_found", "The box has no such draft.");
  const articles: readonly RemoteArticle[] = replyValue(reply);
  const known = await store.drafts.findByMedia(account.id, mediaId);
  if (known) return { draft: known, isNew: false };
  // Read after the box was: a push that begins to send later did not put there what was found.
  const push = await pushOf(deps, account, { mediaId, articles, updatedAtMs: clock() });
  if (push) throw notOver(push, accountId);
  const form = { articles: articles.map(toDoc), by };
  const found = await createFound(deps, account, form, mediaId);
  if (found === "busy") throw notOver(undefined, accountId);
  return found;
}

/**
 * The push that has put this into the box, or may have: it looks for its words there, and would send
 * them again if they were another draft's.
 */
async function pushOf(
  { store, workshop }: Dependencies,
  account: PublicAccount,
  item: RemoteItem,
): Promise<Push | undefined> {
  const renderer = workshop.rendererFor(account.accountId);
  for (const id of await store.pushes.listSent(boxName(account))) {
    const push = await store.pushes.find(id);
    if (!push) continue;
    if (push.mediaId === item.mediaId) return push;
    if (push.mediaId !== null || push.request === null) continue;
    const sent = JSON.parse(push.request) as readonly PlatformArticle[];
    if ((await renderer.matching(await renderer.mark(sent), [item])).length > 0) return push;
  }
  return undefined;
}

function notOver(push: Push | undefined, accountId: string): Fault {
  const message =
    "A draft of these words is being sent to this box, or was with an unknown outcome";
  // The box may be another account's too, whose drafts are nobody else's business.
  if (push?.accountId !== accountId)
    return new Fault("push_busy", `${message}; ask again shortly.`);
  return busyFault(push.draftId, `${message}: retry the push of that draft.`);
}
