// Drafts as they lie here, whatever is in a box of them.
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { ArticleDoc } from "./contract/article.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Draft, DraftVersion, PublicAccount, VersionLine, WritingCall } from "./draft.ts";
import { boxName } from "./platform-api/platform-client.ts";
import type { VersionRows } from "./tables/draft-versions.ts";
import type { DraftKey } from "./tables/keys.ts";

/** Saves of one person that follow one another sooner than this are one version. */
const SAME_SITTING_MS = 10 * 60_000;
const VERSIONS_MAX = 100;
/** Of one draft: pictures stand in its text, and every version has them again. */
const VERSIONS_CHARS_MAX = 48 * 1024 * 1024;

export interface NewDraft {
  readonly articles: readonly ArticleDoc[];
  /** Id or name; the default one where absent. */
  readonly publicAccount?: string | undefined;
  /** Who makes it, in words: a person's address, or the name of a key. */
  readonly by: string;
  /** Calls of a model that have written it, before which there was room for it (`checkRoom`). */
  readonly writing?: readonly WritingCall[] | undefined;
  readonly ticket?: DraftKey | undefined;
}

interface DraftEdit {
  readonly articles: readonly ArticleDoc[];
  readonly by: string;
  /** The version that was edited. */
  readonly base: number;
  readonly publicAccount?: string | undefined;
}

type Kept = Pick<Dependencies, "store" | "publicAccounts" | "clock" | "charsMax">;

export async function findDraft(
  { store }: Pick<Dependencies, "store">,
  accountId: string,
  draftId: string,
): Promise<Draft> {
  const draft = await store.drafts.find(accountId, draftId);
  if (!draft) throw new Fault("not_found", "There is no such draft.");
  return draft;
}

/** Refuses where not even these articles would find room: before a model is paid for what is then to be kept. */
export async function checkRoom(
  { store, charsMax }: Kept,
  accountId: string,
  articles: readonly ArticleDoc[],
): Promise<void> {
  const chars = JSON.stringify(articles).length;
  if ((await store.versions.chars(accountId)) + chars > charsMax) throw full(charsMax);
}

/**
 * A draft that is nowhere but here. What a model has written is kept however much it is: there was room when it was
 * asked, and it is the next draft that finds none.
 */
export async function createDraft(kept: Kept, accountId: string, form: NewDraft): Promise<Draft> {
  const { store, publicAccounts, clock, charsMax } = kept;
  const account = await publicAccounts.find(accountId, form.publicAccount);
  const draft = newDraft(account, form, clock());
  const most = form.writing ? Number.POSITIVE_INFINITY : charsMax;
  const added = await store.drafts.add(draft, form.by, most, form.ticket);
  if (added === "full") throw full(charsMax);
  if (added === "key_lost") {
    const message = "The Idempotency-Key was taken by another request meanwhile.";
    throw new Fault("idempotency_conflict", message, { param: "Idempotency-Key" });
  }
  return draft;
}

/** A draft that was found in a box, as it is here. */
export interface FoundDraft {
  readonly draft: Draft;
  /** Whether it was not here before. */
  readonly isNew: boolean;
}

/** One that was found in the box, or the one of ours that this is. "busy" while a push has found it. */
export async function createFound(
  { store, clock, charsMax }: Kept,
  account: PublicAccount,
  form: Pick<NewDraft, "articles" | "by">,
  mediaId: string,
): Promise<FoundDraft | "busy"> {
  const local = newDraft(account, form, clock());
  const draft = { ...local, status: "in_box", mediaId, pushedVersion: local.version } as const;
  const added = await store.drafts.addFound(draft, form.by, boxName(account), charsMax);
  if (added === "full") throw full(charsMax);
  return added === "busy" ? added : { draft: added, isNew: added.id === draft.id };
}

function newDraft(
  account: PublicAccount,
  form: Pick<NewDraft, "articles" | "writing">,
  nowMs: number,
): Draft {
  return {
    id: newId("drf_"),
    accountId: account.accountId,
    publicAccountId: account.id,
    articles: form.articles,
    version: 1,
    pushedVersion: null,
    mediaId: null,
    status: "local",
    publishId: null,
    publishDoubtUntilMs: null,
    writing: form.writing ?? [],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/**
 * Autosave: a new version of the working copy, local only. Refused when `base` is not the newest, unless the newest is
 * this very edit: whoever has lost the answer asks again.
 */
export async function saveDraft(
  kept: Kept,
  accountId: string,
  draftId: string,
  edit: DraftEdit,
): Promise<Draft> {
  const { clock, charsMax } = kept;
  const { drafts, versions } = kept.store;
  const draft = await findDraft(kept, accountId, draftId);
  const to = await otherPlace(kept, draft, edit.publicAccount);
  const nowMs = clock();
  if (isSaved(draft, edit)) {
    if (to !== undefined && !(await drafts.move(draftId, to, nowMs))) throw belongs();
    return findDraft(kept, accountId, draftId);
  }
  if (draft.version !== edit.base) throw changed(draft);
  const { articles, by, base } = edit;
  const version = { draftId, version: base + 1, articles, by, createdAtMs: nowMs };
  const replaces = await replacedBy(versions, draft, by, nowMs);
  const saved = await drafts.saveVersion(version, base, replaces, charsMax, to);
  if (saved === "full") throw full(charsMax);
  if (saved === "placed") throw belongs();
  await versions.trim(draftId, VERSIONS_MAX, VERSIONS_CHARS_MAX);
  const now = await findDraft(kept, accountId, draftId);
  if (saved === "changed" && !isSaved(now, edit)) throw changed(now);
  return now;
}

/** Whether the draft is what was edited already: because nothing is another, or because it was saved before. */
function isSaved({ version, articles }: Draft, edit: DraftEdit): boolean {
  const isNear = version === edit.base || version === edit.base + 1;
  return isNear && JSON.stringify(edit.articles) === JSON.stringify(articles);
}

/** Newest first. */
export async function listVersions(
  kept: Kept,
  accountId: string,
  draftId: string,
): Promise<readonly VersionLine[]> {
  const { id } = await findDraft(kept, accountId, draftId);
  return kept.store.versions.list(id, VERSIONS_MAX);
}

export async function findVersion(
  kept: Kept,
  accountId: string,
  draftId: string,
  version: number,
): Promise<DraftVersion> {
  const { id } = await findDraft(kept, accountId, draftId);
  const found = await kept.store.versions.find(id, version);
  if (!found) throw new Fault("not_found", "The draft has no such version.");
  return found;
}

/** The id of another public account that the draft is to go to. */
async function otherPlace(
  { publicAccounts }: Kept,
  draft: Draft,
  publicAccount: string | undefined,
): Promise<string | undefined> {
  if (publicAccount === undefined) return undefined;
  const { id } = await publicAccounts.find(draft.accountId, publicAccount);
  return id === draft.publicAccountId ? undefined : id;
}

/** A draft that is in no box can go to another one. */
function belongs(): Fault {
  const message = "This draft belongs to its public account; copy it to use another one.";
  return new Fault("invalid_value", message, { param: "account" });
}

/** The version that need not be kept beside the one that follows it. */
async function replacedBy(
  versions: VersionRows,
  draft: Draft,
  by: string,
  nowMs: number,
): Promise<number | undefined> {
  const isQuiet = draft.status !== "pushing" && draft.status !== "unknown";
  if (!isQuiet || draft.version === 1 || draft.version === draft.pushedVersion) return undefined;
  const newest = await versions.find(draft.id, draft.version);
  const isSame = newest?.by === by && nowMs - newest.createdAtMs < SAME_SITTING_MS;
  return isSame ? draft.version : undefined;
}

function full(charsMax: number): Fault {
  const message =
    `The drafts of this account may have ${charsMax} characters together, with their versions and ` +
    "the pictures in their texts; delete some that are not needed any more.";
  return new Fault("invalid_value", message, { param: "articles" });
}

export function changed(draft: Draft): Fault {
  return new Fault("edit_conflict", "The draft was changed since it was read; load it again.", {
    facts: { version: draft.version },
  });
}
