import { Fault } from "../../lib/faults.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import { type Deed, type DoneBy, deedOf, IN_DOUBT, type Wish } from "../deed.ts";
import type { Draft, PublicAccount, Push } from "../draft.ts";
import type { Ground } from "../ground.ts";
import { findDraft } from "../kept-drafts.ts";
import { boxName } from "../platform-api/platform-client.ts";
import { isGone, replyValue } from "../platform-api/reply-value.ts";
import { searchBox, sentAgo } from "./box-search.ts";
import { type HeldErrand, runErrand } from "./errands.ts";
import { busyFault } from "./leases.ts";

const LOOK_WAIT_MS = 2_000;
/** What is being published may still be given back by the review, and is taken out too. */
const HAS_LEFT: ReadonlySet<Draft["status"]> = new Set(["published", "removed"]);

/**
 * Deletes a draft, with everything that it has put into the box. Waits for a push that runs, since that
 * may put something there.
 */
export async function removeDraft(
  ground: Ground,
  accountId: string,
  draftId: string,
  by?: DoneBy,
): Promise<void> {
  await findDraft(ground, accountId, draftId);
  const wish = { accountId, draftId, by };
  // Whoever meets another one that deletes it has what was wanted.
  await runErrand(ground, draftId, (held) => removeAlone(ground, wish, held));
}

async function removeAlone(ground: Ground, wish: Wish, held: HeldErrand): Promise<void> {
  const { store, publicAccounts } = ground;
  const { accountId, draftId } = wish;
  const draft = await findDraft(ground, accountId, draftId);
  if (draft.status === "unknown" || (await isAddInDoubt(ground, draftId))) {
    const message = "It is not known whether this draft is in the box; retry its push first.";
    throw new Fault("platform_unknown", message, { facts: { draft_id: draftId } });
  }
  const account = await publicAccounts.find(accountId, draft.publicAccountId);
  for (const mediaId of await idsInBox(ground, draft, account)) {
    await takeOut(ground, account, mediaId, wish, held);
  }
  if (await store.drafts.remove(accountId, draftId, held.owner, deleted(ground, wish))) return;
  throw busyFault(draftId, "Deleting took too long, and somebody else has the draft; ask again.");
}

/** A push may have put something into the box that nobody knows of, whatever else became of the draft. */
async function isAddInDoubt({ store }: Ground, draftId: string): Promise<boolean> {
  // While one is in doubt no other push begins, so it is the latest.
  const latest = await store.pushes.latest(draftId);
  return latest?.kind === "add" && latest.state === "unknown";
}

/** Where it lies, and what earlier pushes have put there beside it. */
async function idsInBox(
  ground: Ground,
  draft: Draft,
  account: PublicAccount,
): Promise<readonly string[]> {
  const { store } = ground;
  const found = new Set(await store.pushes.added(draft.id));
  const resent = await store.pushes.latestSentTwice(draft.id);
  if (resent) for (const twin of await twinsOf(ground, resent, account)) found.add(twin);
  if (draft.mediaId === null) return [...found];
  found.delete(draft.mediaId);
  return HAS_LEFT.has(draft.status) ? [...found] : [...found, draft.mediaId];
}

/** What was sent twice may have been stored twice, one of them long after the push was over. */
async function twinsOf(
  { store, clientFor, workshop, clock, steady }: Ground,
  push: Push,
  account: PublicAccount,
): Promise<readonly string[]> {
  const { id: pushId, draftId, mediaId: known, sends, sentAtMs, request } = push;
  if (sentAtMs === null || request === null) return [];
  const articles = JSON.parse(request) as readonly PlatformArticle[];
  const wanted = { articles, sentAgoMs: sentAgo(push, { clock, steady }) };
  const press = workshop.pressFor(account.accountId);
  const search = await searchBox(clientFor(account), press, wanted, clock);
  if (search.kind === "unreadable") return [];
  const except = { pushId, draftId };
  const taken = await store.pushes.claimed(boxName(account), search.mediaIds, except);
  const twins = search.mediaIds.filter((mediaId) => mediaId !== known && !taken.has(mediaId));
  // More than were sent are not all ours, and nobody can say which.
  return twins.length > sends - (known === null ? 0 : 1) ? [] : twins;
}

function deleted({ clock }: Ground, wish: Wish, detail?: Deed["detail"]): Deed | undefined {
  return deedOf({ ...wish, action: "draft.delete", atMs: clock() }, detail);
}

async function takeOut(
  ground: Ground,
  account: PublicAccount,
  mediaId: string,
  wish: Wish,
  { check }: HeldErrand,
): Promise<void> {
  const client = ground.clientFor(account);
  const facts = { draft_id: wish.draftId };
  const reply = await client.remove(mediaId, check);
  if (isGone(reply)) return;
  if (reply.kind !== "unknown") {
    replyValue(reply, facts);
    return;
  }
  await ground.sleep(LOOK_WAIT_MS);
  // Deleting again what is gone is only told so.
  const again = await client.remove(mediaId, check);
  if (isGone(again)) return;
  const isInDoubt = again.kind === "unknown" && again.sent;
  const doubt = isInDoubt ? deleted(ground, wish, IN_DOUBT) : undefined;
  if (doubt) await ground.store.deeds.add(doubt);
  replyValue(again, facts);
}
