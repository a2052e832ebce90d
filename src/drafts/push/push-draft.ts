import { Fault } from "../../lib/faults.ts";
import type { DoneBy } from "../audit-record.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Draft, PublicAccount, Push, Receipt } from "../draft.ts";
import { changed, findDraft } from "../kept-drafts.ts";
import { refusalFault, unreached } from "../platform-api/refusal.ts";
import { isGone, unknownFault } from "../platform-api/reply-value.ts";
import { doubtFault, isInDoubt } from "../publish/publish-doubt.ts";
import { isSettled, runPush } from "./pushes.ts";
import { canReplace } from "./updating.ts";

/** So many of a draft's pushes are shown, and looked through. */
export const PUSHES_SHOWN_MAX = 50;

export interface PushOptions {
  /** The version that is meant; the newest one of the moment in which it is asked for, where absent. */
  readonly version?: number | undefined;
  /** Adds it once more, where it was taken out of the box. */
  readonly asNew?: boolean | undefined;
  /** For who has waited for the making of the draft: what has come of its first push is the answer. */
  readonly joined?: boolean | undefined;
  /** Who wishes it. Who finds it in the box, or has waited for somebody else, has not brought it there. */
  readonly by?: DoneBy | undefined;
}

interface Pushed {
  readonly draft: Draft;
  readonly push: Push;
  readonly receipt: Receipt;
}

/**
 * Brings the version that is meant into the box: adds it, or updates what is there; a push of an older one that
 * was open is finished first. Where it or a newer one is there already, that is only looked at. What is saved
 * meanwhile is nobody's wish to send it, and stays here. An unknown outcome is first resolved by reading the
 * box. Of several who push a draft at once one does, and all are told what came of it.
 */
export async function pushDraft(
  deps: Dependencies,
  accountId: string,
  draftId: string,
  { version, asNew = false, joined = false, by }: PushOptions = {},
): Promise<Pushed> {
  const { store, publicAccounts, reconciler, clientFor } = deps;
  let wanted = version;
  let articles: readonly ArticleDoc[] | undefined;
  let mayAddAgain = asNew;
  let mayJoin = joined;
  for (;;) {
    // Read before the draft: what ends after this is not in it, and is noticed by its row.
    const latest = mayJoin ? undefined : await store.pushes.latest(draftId);
    mayJoin = false;
    const found = await findDraft(deps, accountId, draftId);
    const account = await publicAccounts.find(accountId, found.publicAccountId);
    const newest = isInDoubt(found) ? await reconciler.follow(found, clientFor(account)) : found;
    wanted ??= newest.version;
    const isOver = !latest || isSettled(latest);
    // Whose words are in the box does not wait for what others do with newer ones.
    const isDone = hasBrought(newest, wanted) && (isOver || wanted < newest.version);
    if (isDone && !mayAddAgain) return confirm(deps, newest, account);
    articles ??= await articlesOf(deps, newest, wanted);
    const draft = { ...newest, version: wanted, articles };
    const isAdd = draft.mediaId === null || (isOver && mayAddAgain);
    // One that is in doubt is made again with what is meant here. Who wants a new one is not kept from it.
    const isUpdate = isOver || (isUpdateInDoubt(latest) && !mayAddAgain);
    if (!isAdd && isUpdate) await checkUpdate(deps, draft);
    const kind = isAdd ? "add" : "update";
    const push = await runPush(deps, { draft, account, kind, before: latest, by });
    if (!push) continue;
    // Also where somebody else has added it: two who ask for a new one at once mean the same one.
    if (push.kind === "add") mayAddAgain = false;
    // What was refused is another version than the one that shall be pushed here, or no new one.
    const isOther = push.version !== wanted || mayAddAgain;
    if (push.state === "refused" && isOther) continue;
    const pushed = await outcomeOf(deps, accountId, push);
    if (!mayAddAgain && hasBrought(pushed.draft, wanted)) return pushed;
  }
}

function hasBrought({ pushedVersion }: Draft, version: number): boolean {
  return pushedVersion !== null && pushedVersion >= version;
}

/** What a version of the draft says. One that is not kept any more was replaced before it could be sent. */
async function articlesOf(
  { store }: Dependencies,
  newest: Draft,
  version: number,
): Promise<readonly ArticleDoc[]> {
  if (version === newest.version) return newest.articles;
  const kept = await store.versions.find(newest.id, version);
  if (!kept) throw changed(newest);
  return kept.articles;
}

/** The newest push that came to its end. */
export async function donePush({ store }: Pick<Dependencies, "store">, { id }: Draft) {
  const pushes = await store.pushes.list(id, PUSHES_SHOWN_MAX);
  return pushes.find(({ state }) => state === "done");
}

/** What was pushed already is looked at, and the first answer given again. */
async function confirm(deps: Dependencies, draft: Draft, account: PublicAccount): Promise<Pushed> {
  const done = await donePush(deps, draft);
  if (!done?.receipt || draft.mediaId === null) {
    const message = "This draft is in the box as it is there; change it before pushing.";
    throw new Fault("invalid_value", message, { facts: { draft_id: draft.id } });
  }
  const client = deps.clientFor(account);
  const reply = await client.get(draft.mediaId);
  const seen = isGone(reply) ? await deps.reconciler.gone(draft, client) : draft;
  const url = reply.kind === "ok" ? (reply.value[0]?.url ?? null) : done.receipt.url;
  return { draft: seen, push: done, receipt: { ...done.receipt, url } };
}

function isUpdateInDoubt({ kind, state }: Push): boolean {
  return kind === "update" && state === "unknown";
}

/** Whether what is in the box can become this version. */
async function checkUpdate({ store }: Dependencies, draft: Draft): Promise<void> {
  const facts = { draft_id: draft.id };
  if (isInDoubt(draft)) throw doubtFault(draft.id);
  if (draft.status === "published" || draft.status === "publishing") {
    throw new Fault("invalid_value", "A published draft is not in the box any more.", { facts });
  }
  if (draft.status === "removed") throw refusalFault(removedRefusal(), facts);
  const version = draft.pushedVersion ?? draft.version;
  const before = (await store.versions.find(draft.id, version))?.articles;
  if (!before || canReplace(before, draft.articles)) return;
  const message =
    "The number and the types of a draft's articles cannot change once it is in the box; " +
    "push it as a new one.";
  throw new Fault("invalid_value", message, { param: "articles", facts });
}

/** What came of a push, as its caller is told. */
async function outcomeOf(deps: Dependencies, accountId: string, push: Push): Promise<Pushed> {
  const draft = await findDraft(deps, accountId, push.draftId);
  const facts = { draft_id: draft.id, push_id: push.id };
  const { state, receipt } = push;
  if (state === "done" && receipt) return { draft, push, receipt };
  if (state === "unknown") throw unknownFault(push.doubt ?? "", facts);
  const refusal = push.refusal ?? unreached("the push has no end", "config");
  if (refusal.class === "busy") {
    const headers = { "retry-after": "10" };
    throw new Fault("push_busy", `Not sent: ${refusal.errmsg}`, { facts, headers });
  }
  if (draft.status === "removed") throw refusalFault(removedRefusal(), facts);
  const { field } = refusal;
  const isPath = field === null || field.startsWith("articles") || draft.articles.length !== 1;
  throw refusalFault({ ...refusal, field: isPath ? field : `articles[0].${field}` }, facts);
}

function removedRefusal() {
  const words = "it is not in the box any more.";
  const fix = "Push it as a new one if that is wanted.";
  return { ...unreached(words, "config"), class: "removed", fix };
}
