import { Fault } from "../../lib/faults.ts";
import {
  auditRecordOf,
  type DoneBy,
  type DraftAuditRecord,
  type DraftCommand,
  IN_DOUBT,
} from "../audit-record.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Draft, PublicAccount } from "../draft.ts";
import { findDraft } from "../kept-drafts.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import { refusalFault, unreached } from "../platform-api/refusal.ts";
import { isGone, replyValue, unknownFault } from "../platform-api/reply-value.ts";
import { type HeldJob, runExclusiveJob } from "../push/exclusive-jobs.ts";
import { doubtFault, inDoubt, isInDoubt } from "./publish-doubt.ts";
import { afterPublish, publishOutcome, publishWords } from "./publish-status.ts";

const LOOK_WAIT_MS = 2_000;
/** How long a call waits for the platform to finish; later calls look again. */
const POLL_WAITS_MS = [500, 1_000, 2_000, 4_000];

/**
 * Makes a draft public. Off by default: a person presses that button on the platform. Two who publish it
 * at once mean the same: the second one finds what the first has done. `by` has done it once it is sent to the platform,
 * and not who only asks how that goes on.
 */
export async function publishDraft(
  deps: Dependencies,
  accountId: string,
  draftId: string,
  by?: DoneBy,
): Promise<Draft> {
  const { publicAccountId } = await findDraft(deps, accountId, draftId);
  checkPublish(deps, await deps.publicAccounts.find(accountId, publicAccountId));
  const published = await runExclusiveJob(deps, draftId, (held) =>
    publishAlone(deps, { accountId, draftId, by }, held),
  );
  return published === "gone" ? findDraft(deps, accountId, draftId) : published;
}

async function publishAlone(
  deps: Dependencies,
  command: DraftCommand,
  held: HeldJob,
): Promise<Draft> {
  const { publicAccounts, clientFor, store, clock, reconciler } = deps;
  const { accountId, draftId } = command;
  const known = await findDraft(deps, accountId, draftId);
  const client = clientFor(await publicAccounts.find(accountId, known.publicAccountId));
  const draft = isInDoubt(known) ? await reconciler.follow(known, client) : known;
  if (isInDoubt(draft)) throw doubtFault(draftId);
  if (draft.status === "publishing" && draft.publishId !== null) {
    return follow(deps, draft, client, draft.publishId);
  }
  if (draft.status === "published") return draft;
  if (draft.mediaId === null || draft.status !== "in_box") {
    throw new Fault("invalid_value", "Only a draft that is in the box can be published.");
  }
  if (draft.version !== draft.pushedVersion) {
    throw new Fault("invalid_value", "The newest version is not in the box; push it first.");
  }
  const reply = await submit(client, draft.mediaId, held);
  if (reply.kind === "unknown" && reply.sent)
    return look(deps, draft, client, { ...command, reason: reply.reason }, held);
  // An earlier call whose answer was lost may have published it, or somebody has removed it.
  const seen = isGone(reply) ? await reconciler.gone(draft, client) : draft;
  const record = published(deps, command);
  if (seen.status === "published") {
    if (record) await store.auditOutbox.add(record);
    return seen;
  }
  const publishId = replyValue(reply, { draft_id: draftId });
  // Where it was pushed meanwhile, since this took too long, what is published is not what lies there.
  await store.drafts.changeSeen(draft, { status: "publishing", publishId }, clock(), record);
  held.isSettled();
  return follow(deps, { ...draft, status: "publishing" }, client, publishId);
}

/** Whoever is ended before the answer is written down leaves word that it was asked for. */
async function submit(client: PlatformClient, mediaId: string, held: HeldJob) {
  await held.submits();
  try {
    const reply = await client.publish(mediaId, held.check);
    const isAsked = reply.kind === "ok" || (reply.kind === "unknown" && reply.sent);
    if (!isAsked) held.isSettled();
    return reply;
  } catch (thrown) {
    // Nothing is sent by who has no right to it any more.
    held.isSettled();
    throw thrown;
  }
}

function published(
  { clock }: Dependencies,
  command: DraftCommand,
  detail?: DraftAuditRecord["detail"],
): DraftAuditRecord | undefined {
  return auditRecordOf({ ...command, action: "draft.publish", atMs: clock() }, detail);
}

/** `param`: the member of a form that asks for it, where one does. */
export function checkPublish(
  { publishOn }: Pick<Dependencies, "publishOn">,
  { publishAllowed }: PublicAccount,
  param?: string,
): void {
  if (publishOn && publishAllowed) return;
  const message = publishOn
    ? "Publishing is not allowed for this public account."
    : "Publishing is off here; the operator can set FAREGATE_DRAFTS_PUBLISH=on.";
  throw new Fault("permission_denied", message, { param });
}

async function follow(
  deps: Dependencies,
  draft: Draft,
  client: PlatformClient,
  publishId: string,
): Promise<Draft> {
  const { sleep, store, clock } = deps;
  for (const waitMs of POLL_WAITS_MS) {
    await sleep(waitMs);
    const reply = await client.publishStatus(publishId);
    if (reply.kind !== "ok") continue;
    const { status } = reply.value;
    const outcome = publishOutcome(status);
    if (outcome === "running") continue;
    await store.drafts.changeSeen(draft, afterPublish(outcome), clock());
    if (status === 0) break;
    const refusal = { ...unreached(publishWords(status), "config"), class: "other", fix: "" };
    throw refusalFault(refusal, { draft_id: draft.id, publish_status: status });
  }
  return findDraft(deps, draft.accountId, draft.id);
}

/** The answer was lost. A draft that has left the box was published; else nobody can say yet. */
async function look(
  deps: Dependencies,
  draft: Draft,
  client: PlatformClient,
  lost: DraftCommand & { readonly reason: string },
  { isSettled }: HeldJob,
): Promise<Draft> {
  const { sleep, store, clock } = deps;
  await sleep(LOOK_WAIT_MS);
  const reply = await client.get(draft.mediaId ?? "");
  const isKnown = isGone(reply);
  const record = published(deps, lost, isKnown ? {} : IN_DOUBT);
  const change = isKnown ? ({ status: "published" } as const) : inDoubt(clock());
  await store.drafts.changeSeen(draft, change, clock(), record);
  isSettled();
  if (!isKnown) throw unknownFault(lost.reason, { draft_id: draft.id });
  return findDraft(deps, draft.accountId, draft.id);
}
