import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import { auditRecordOf, type DoneBy, IN_DOUBT } from "../audit-record.ts";
import type { Problem } from "../contract/preview.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Draft, PublicAccount, Push } from "../draft.ts";
import { boxName, type PlatformClient } from "../platform-api/platform-client.ts";
import { unreached } from "../platform-api/refusal.ts";
import { UNKNOWN_MEDIA_ID } from "../platform-api/reply-value.ts";
import { waitingRenderer } from "../render-pool/waiting-renderer.ts";
import type { SaidByVersion } from "../tables/draft-versions.ts";
import type { Lease } from "../tables/exclusive-jobs.ts";
import { Adding } from "./adding.ts";
import { busyFault, type HeldUntil, heldFrom, isSilent, POLL_MS, whileWaiting } from "./leases.ts";
import { type PreparedDraft, prepare } from "./preparing.ts";
import { LeaseLost, PushRun, SameWordsBusy } from "./push-run.ts";
import { writeReceipt } from "./receipt.ts";
import { canReplace, type Outcome, unknownUpdate, updateBox } from "./updating.ts";
import { UploadRefused, Uploads } from "./uploads.ts";

const RECOVER_MAX = 50;
const OVER = new Set(["done", "refused", "unknown"]);
/** What a draft is that was in the box once, and on which nothing is under way. */
const LAID: ReadonlySet<Draft["status"]> = new Set(["removed", "publishing", "published"]);
/** What ends a push before anything is sent: the article itself, as it was found to be. */
const NOT_SENT: ReadonlySet<string> = new Set(["preflight_failed", "render_too_slow"]);

interface Wanted {
  /** As it is, with the version that is meant and what that says. */
  readonly draft: Draft;
  readonly account: PublicAccount;
  readonly kind: Push["kind"];
  readonly before: Push | undefined;
  readonly by: DoneBy | undefined;
}

interface Job {
  readonly run: PushRun;
  readonly draft: Draft;
  /** What whoever takes it up means to bring; absent where a push is only finished. */
  readonly meant: SaidByVersion | undefined;
  readonly account: PublicAccount;
  readonly client: PlatformClient;
  readonly uploads: Uploads;
  /** What the preflight had to say, once it has run. */
  readonly noted: { warnings: readonly Problem[] };
}

/** Nobody knows any more what was to be brought, and nothing else is sent in its place. */
class VersionLost extends Error {
  constructor() {
    super("the version that was to be sent is not kept any more.");
  }
}

/** Nothing more becomes of it. */
export function isSettled({ state }: Push): boolean {
  return state === "done" || state === "refused";
}

/** Whether this is what came of a push since `before` was the latest of its draft. */
function isNews(push: Push, before: Push | undefined): boolean {
  return OVER.has(push.state) && (push.id !== before?.id || push.ends !== before.ends);
}

/**
 * What comes of pushing the draft, which was read after `before` was the latest push: of a new push,
 * or of one that is taken up, or of what somebody else has done since. Undefined when the draft has
 * to be read again; throws `preflight_failed` before there is a row, and `push_busy` when the wait
 * was in vain.
 */
export function runPush(deps: Dependencies, wanted: Wanted): Promise<Push | undefined> {
  return whileWaiting(deps.waiting, (waits) => runBehind(deps, wanted, waits));
}

async function runBehind(
  deps: Dependencies,
  wanted: Wanted,
  waits: () => void,
): Promise<Push | undefined> {
  const { store, clock, steady, sleep, limits } = deps;
  const { draft, account, before } = wanted;
  const giveUpAtMs = steady() + limits.draft_busy_wait_ms;
  let prepared: Promise<PreparedDraft> | undefined;
  const prepareOnce = () => {
    prepared ??= prepare(deps, draft.articles, account);
    return prepared;
  };
  for (let isLate = false; ; ) {
    const latest = await store.pushes.latest(draft.id);
    if (latest && isNews(latest, before)) return latest;
    if (isLate) {
      throw busyFault(draft.id, "This draft is being sent at this moment; ask again shortly.");
    }
    const isOpen = latest !== undefined && !isSettled(latest);
    const ended = isOpen
      ? await takeUp(deps, latest.id, wanted)
      : await begin(deps, wanted, await prepareOnce(), latest?.id);
    if (ended === "stale") return undefined;
    if (ended) return ended;
    // One that has fallen silent is waited for until it counts as dead, and then taken up.
    const mayDie = isOpen && isSilent(latest.updatedAtMs, clock());
    isLate = steady() >= giveUpAtMs && !mayDie;
    if (isLate) continue;
    waits();
    await sleep(POLL_MS);
  }
}

/**
 * Goes on with a push of the draft that a dead process has left between two steps. True when that is
 * done, or will be soon, since whoever has it has fallen silent.
 */
export async function finishLeft(deps: Dependencies, draftId: string): Promise<boolean> {
  const latest = await deps.store.pushes.latest(draftId);
  if (!latest || OVER.has(latest.state)) return false;
  if (await takeUp(deps, latest.id)) return true;
  return isSilent(latest.updatedAtMs, deps.clock());
}

/** Finishes pushes that a process which ended has left. At the start, and now and then. */
export async function recoverPushes(deps: Dependencies): Promise<void> {
  const { store, clock, log } = deps;
  let finished = 0;
  for (const id of await store.pushes.listAbandoned(clock(), RECOVER_MAX)) {
    try {
      if (await takeUp(deps, id)) finished += 1;
    } catch (thrown) {
      log.error("draft_push_not_recovered", { push: id, error: thrown });
    }
  }
  if (finished > 0) log.warn("draft_pushes_recovered", { finished });
}

/** A new row and its run. Undefined when somebody else was quicker, "stale" for a draft of yesterday. */
async function begin(
  deps: Dependencies,
  { draft, account, kind, by }: Wanted,
  prepared: PreparedDraft,
  after: string | undefined,
): Promise<Push | "stale" | undefined> {
  const { store, clock, clientFor } = deps;
  const nowMs = clock();
  const push: Push = {
    id: newId("psh_"),
    accountId: draft.accountId,
    draftId: draft.id,
    publicAccountId: account.id,
    kind,
    version: draft.version,
    state: "planned",
    request: null,
    ends: 0,
    sends: 0,
    sentAtMs: null,
    mediaId: null,
    refusal: null,
    doubt: null,
    receipt: null,
    by,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const client = clientFor(account);
  const lease = { owner: newId("own_"), ...heldFrom(deps) };
  const added = await store.pushes.add(push, boxName(account), lease, after, draft);
  if (added !== "added") return added === "stale" ? added : undefined;
  return drive(deps, push, lease, { draft, meant: draft, account, client, prepared });
}

/** Goes on with a push that nobody holds, only to finish it where nothing is wanted. Undefined when somebody does. */
async function takeUp(
  deps: Dependencies,
  id: string,
  wanted?: Pick<Wanted, "draft" | "by">,
): Promise<Push | undefined> {
  const { store, clock, clientFor } = deps;
  const found = await store.pushes.find(id);
  const account =
    found && (await store.publicAccounts.find(found.accountId, found.publicAccountId));
  if (!account) return undefined;
  const client = clientFor(account);
  const nowMs = clock();
  const lease = { owner: newId("own_"), ...heldFrom(deps) };
  const push = await store.pushes.take(id, lease, nowMs, wanted?.by);
  // Read once nobody else can change where it lies.
  const draft = push && (await store.drafts.find(push.accountId, push.draftId));
  const meant = wanted?.draft;
  return draft && drive(deps, push, lease, { draft, meant, account, client, prepared: undefined });
}

/** Sends a push that has a row. It waits while the render pool is full; calls of clients are refused instead. */
function waitingForRenderer(deps: Dependencies): Dependencies {
  const { workshop, sleep } = deps;
  return {
    ...deps,
    workshop: { ...workshop, rendererFor: waitingRenderer(workshop.rendererFor, sleep) },
  };
}

async function drive(
  shared: Dependencies,
  push: Push,
  lease: Lease & HeldUntil,
  parts: Pick<Job, "draft" | "meant" | "account" | "client"> & {
    readonly prepared: PreparedDraft | undefined;
  },
): Promise<Push | undefined> {
  const deps = waitingForRenderer(shared);
  const { store, workshop } = deps;
  const { prepared, ...known } = parts;
  const run = new PushRun({ ...deps, store: store.pushes }, push, lease);
  const renderer = workshop.rendererFor(known.account.accountId);
  const uploads = new Uploads({ run, client: known.client, renderer, store: store.uploads });
  const job = { ...known, run, uploads, noted: { warnings: [] } };
  try {
    return await run.hold(async () => end(deps, job, await outcomeOf(deps, job, prepared)));
  } catch (thrown) {
    if (thrown instanceof LeaseLost) return undefined;
    throw thrown;
  }
}

async function outcomeOf(
  deps: Dependencies,
  job: Job,
  prepared: PreparedDraft | undefined,
): Promise<Outcome> {
  const { push } = job.run;
  try {
    const wasSent = push.state === "sending" || push.state === "unknown";
    if (push.kind === "add" && wasSent && push.request !== null) {
      const articles = JSON.parse(push.request) as readonly PlatformArticle[];
      return await addingOf(deps, job, articles).resume();
    }
    return await bring(deps, job, prepared ?? (await prepareAgain(deps, job)), true);
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (!refusal) throw thrown;
    const { kind, sends } = job.run.push;
    if (kind === "add" || sends === 0) return { kind: "refused", refusal };
    // It was sent before: how much of that the box has is as unknown as it was.
    return { kind: "unknown", doubt: unknownUpdate(refusal.errmsg) };
  }
}

/** Why nothing can be sent now, where that is what was thrown. */
function refusalOf(thrown: unknown): PlatformRefusal | undefined {
  if (thrown instanceof UploadRefused) return thrown.refusal;
  if (thrown instanceof SameWordsBusy) {
    const words = "the same words are being sent to this box, or were with an unknown outcome.";
    return { ...unreached(words, "config"), class: "busy" };
  }
  if (thrown instanceof VersionLost) {
    const fix = "Push it again, as it is now.";
    return { ...unreached(thrown.message, "config"), class: "input", fix };
  }
  // A push that is taken up later is judged by the rules of that day.
  if (thrown instanceof Fault && NOT_SENT.has(thrown.fault)) {
    return { ...unreached(thrown.message, "config"), class: "input" };
  }
  return undefined;
}

async function prepareAgain(deps: Dependencies, job: Job): Promise<PreparedDraft> {
  const { run, draft, meant, account } = job;
  const other = run.push.state === "unknown" ? await otherInDoubt(deps, job) : undefined;
  if (other) await run.step({ meant: other });
  const { version } = run.push;
  const said =
    meant?.version === version ? meant : await deps.store.versions.find(draft.id, version);
  if (!said) throw new VersionLost();
  return prepare(deps, said.articles, account);
}

/**
 * An update whose outcome is not known is made again, with what is meant by now where that is newer. Where an update
 * cannot bring that, with what the box had before it.
 */
async function otherInDoubt(
  { store }: Dependencies,
  { run, draft, meant }: Job,
): Promise<SaidByVersion | undefined> {
  if (!meant || meant.version <= run.push.version) return undefined;
  const { pushedVersion } = draft;
  const before =
    pushedVersion === null ? undefined : await store.versions.find(draft.id, pushedVersion);
  return before && !canReplace(before.articles, meant.articles) ? before : meant;
}

function addingOf(
  { store, steady, sleep, log, workshop }: Dependencies,
  { run, client, account }: Job,
  articles: readonly PlatformArticle[],
): Adding {
  const box = boxName(account);
  const renderer = workshop.rendererFor(account.accountId);
  const parts = { run, client, store: store.pushes, box, renderer, steady, sleep, log };
  return new Adding(parts, articles);
}

/** Uploads and sends. Where a picture of an earlier push is gone, all are uploaded anew, once. */
async function bring(
  deps: Dependencies,
  job: Job,
  prepared: PreparedDraft,
  mayForget: boolean,
): Promise<Outcome> {
  const { run, draft, client, uploads } = job;
  job.noted.warnings = prepared.problems.filter(({ severity }) => severity === "warning");
  await run.step({ state: "uploading" });
  const articles = await uploads.place(prepared.articles, prepared.pictures);
  const outcome =
    run.push.kind === "add" || draft.mediaId === null
      ? await addingOf(deps, job, articles).begin()
      : await updateBox({ run, client, sleep: deps.sleep }, draft.mediaId, articles);
  const isStale =
    outcome.kind === "refused" && outcome.refusal.errcode === UNKNOWN_MEDIA_ID && uploads.mayBeLost;
  if (!isStale || !mayForget) return outcome;
  await uploads.forgetReused();
  return bring(deps, job, prepared, false);
}

/** Writes down how it ended, for the push and the draft at once. */
async function end({ log, clock }: Dependencies, job: Job, outcome: Outcome): Promise<Push> {
  const { run, draft } = job;
  const isInBox = run.push.kind === "update";
  const ends = run.push.ends + 1;
  const done = { ...run.push, action: "draft.push", atMs: clock() } as const;
  if (outcome.kind === "added") {
    const { mediaId } = outcome;
    const receipt = await writeReceipt({ ...job, ...outcome, push: run.push, ...job.noted });
    const { version: pushedVersion } = run.push;
    const step = { state: "done", ends, mediaId, receipt, refusal: null, doubt: null } as const;
    const record = auditRecordOf(done, { media_id: mediaId, version: pushedVersion });
    await run.step(
      { ...step, record },
      { status: "in_box", mediaId, pushedVersion, publishId: null },
    );
  } else if (outcome.kind === "unknown") {
    const status = isInBox ? "in_box" : "unknown";
    const record = auditRecordOf(done, IN_DOUBT);
    await run.step({ state: "unknown", ends, doubt: outcome.doubt, record }, { status });
  } else {
    const { refusal } = outcome;
    const status = outcome.kind === "gone" ? "removed" : statusBefore(draft);
    await run.step({ state: "refused", ends, refusal, mediaId: null }, { status });
  }
  const { id, state } = run.push;
  log.info("draft_push_ended", { push: id, draft: draft.id, state });
  return run.push;
}

/** Where a draft lies whose push was refused: one that was in the box is there still. */
function statusBefore({ mediaId, status }: Draft): Draft["status"] {
  if (mediaId === null) return "refused";
  // Of one that was taken up only the box itself can say it, and whoever looks into it will.
  return LAID.has(status) ? status : "in_box";
}
