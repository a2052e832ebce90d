import { Fault } from "../../lib/faults.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import {
  auditRecordOf,
  type DoneBy,
  type DraftAuditRecord,
  type DraftCommand,
  IN_DOUBT,
} from "../audit-record.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Draft, PublicAccount, Push } from "../draft.ts";
import { findDraft } from "../kept-drafts.ts";
import { boxName } from "../platform-api/platform-client.ts";
import { isGone, replyValue } from "../platform-api/reply-value.ts";
import { searchBox, sentAgo } from "./box-search.ts";
import { type HeldJob, runExclusiveJob } from "./exclusive-jobs.ts";
import { busyFault } from "./leases.ts";

const LOOK_WAIT_MS = 2_000;
/** What is being published may still be given back by the review, and is taken out too. */
const HAS_LEFT: ReadonlySet<Draft["status"]> = new Set(["published", "removed"]);

/**
 * Deletes a draft, with everything that it has put into the box. Waits for a push that runs, since that
 * may put something there.
 */
export async function removeDraft(
  deps: Dependencies,
  accountId: string,
  draftId: string,
  by?: DoneBy,
): Promise<void> {
  await findDraft(deps, accountId, draftId);
  const command = { accountId, draftId, by };
  // Whoever meets another one that deletes it has what was wanted.
  await runExclusiveJob(deps, draftId, (held) => removeAlone(deps, command, held));
}

async function removeAlone(
  deps: Dependencies,
  command: DraftCommand,
  held: HeldJob,
): Promise<void> {
  const { store, publicAccounts } = deps;
  const { accountId, draftId } = command;
  const draft = await findDraft(deps, accountId, draftId);
  if (draft.status === "unknown" || (await isAddInDoubt(deps, draftId))) {
    const message = "It is not known whether this draft is in the box; retry its push first.";
    throw new Fault("platform_unknown", message, { facts: { draft_id: draftId } });
  }
  const account = await publicAccounts.find(accountId, draft.publicAccountId);
  for (const mediaId of await idsInBox(deps, draft, account)) {
    await takeOut(deps, account, mediaId, command, held);
  }
  if (await store.drafts.remove(accountId, draftId, held.owner, deleted(deps, command))) return;
  throw busyFault(draftId, "Deleting took too long, and somebody else has the draft; ask again.");
}

/** A push may have put something into the box that nobody knows of, whatever else became of the draft. */
async function isAddInDoubt({ store }: Dependencies, draftId: string): Promise<boolean> {
  // While one is in doubt no other push begins, so it is the latest.
  const latest = await store.pushes.latest(draftId);
  return latest?.kind === "add" && latest.state === "unknown";
}

/** Where it lies, and what earlier pushes have put there beside it. */
async function idsInBox(
  deps: Dependencies,
  draft: Draft,
  account: PublicAccount,
): Promise<readonly string[]> {
  const { store } = deps;
  const found = new Set(await store.pushes.added(draft.id));
  const resent = await store.pushes.latestSentTwice(draft.id);
  if (resent) for (const twin of await twinsOf(deps, resent, account)) found.add(twin);
  if (draft.mediaId === null) return [...found];
  found.delete(draft.mediaId);
  return HAS_LEFT.has(draft.status) ? [...found] : [...found, draft.mediaId];
}

/** What was sent twice may have been stored twice, one of them long after the push was over. */
async function twinsOf(
  { store, clientFor, workshop, clock, steady }: Dependencies,
  push: Push,
  account: PublicAccount,
): Promise<readonly string[]> {
  const { id: pushId, draftId, mediaId: known, sends, sentAtMs, request } = push;
  if (sentAtMs === null || request === null) return [];
  const articles = JSON.parse(request) as readonly PlatformArticle[];
  const wanted = { articles, sentAgoMs: sentAgo(push, { clock, steady }) };
  const renderer = workshop.rendererFor(account.accountId);
  const search = await searchBox(clientFor(account), renderer, wanted, clock);
  if (search.kind === "unreadable") return [];
  const except = { pushId, draftId };
  const taken = await store.pushes.claimed(boxName(account), search.mediaIds, except);
  const twins = search.mediaIds.filter((mediaId) => mediaId !== known && !taken.has(mediaId));
  // More than were sent are not all ours, and nobody can say which.
  return twins.length > sends - (known === null ? 0 : 1) ? [] : twins;
}

function deleted(
  { clock }: Dependencies,
  command: DraftCommand,
  detail?: DraftAuditRecord["detail"],
): DraftAuditRecord | undefined {
  return auditRecordOf({ ...command, action: "draft.delete", atMs: clock() }, detail);
}

async function takeOut(
  deps: Dependencies,
  account: PublicAccount,
  mediaId: string,
  command: DraftCommand,
  { check }: HeldJob,
): Promise<void> {
  const client = deps.clientFor(account);
  const facts = { draft_id: command.draftId };
  const reply = await client.remove(mediaId, check);
  if (isGone(reply)) return;
  if (reply.kind !== "unknown") {
    replyValue(reply, facts);
    return;
  }
  await deps.sleep(LOOK_WAIT_MS);
  // Deleting again what is gone is only told so.
  const again = await client.remove(mediaId, check);
  if (isGone(again)) return;
  const isInDoubt = again.kind === "unknown" && again.sent;
  const doubt = isInDoubt ? deleted(deps, command, IN_DOUBT) : undefined;
  if (doubt) await deps.store.auditOutbox.add(doubt);
  replyValue(again, facts);
}
