import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { ArticleDoc } from "./contract/article.ts";
import type { Draft, DraftVersion, PublicAccount, WritingCall } from "./draft.ts";
import { boxName } from "./platform-api/platform-client.ts";
import type { PublicAccounts } from "./public-accounts.ts";
import type { DraftRows } from "./tables/drafts.ts";
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
  readonly writing?: readonly WritingCall[] | undefined;
  readonly ticket?: DraftKey | undefined;
}

export interface DraftEdit {
  readonly articles: readonly ArticleDoc[];
  readonly by: string;
  /** The version that was edited. */
  readonly base: number;
  readonly publicAccount?: string | undefined;
}

interface Parts {
  readonly store: DraftRows;
  readonly publicAccounts: PublicAccounts;
  readonly clock: Clock;
  /** What all drafts of one account may be together, with their versions. */
  readonly charsMax: number;
}

/** Drafts as they lie here, whatever is in a box of them. */
export class DraftShelf {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async create(accountId: string, form: NewDraft): Promise<Draft> {
    const { store, publicAccounts, charsMax } = this.#parts;
    const account = await publicAccounts.find(accountId, form.publicAccount);
    const draft = this.#newDraft(account, form);
    const added = await store.add(draft, form.by, charsMax, form.ticket);
    if (added === "full") throw full(charsMax);
    if (added === "key_lost") {
      const message = "The Idempotency-Key was taken by another request meanwhile.";
      throw new Fault("idempotency_conflict", message, { param: "Idempotency-Key" });
    }
    return draft;
  }

  /** One that was found in the box, or the one of ours that this is. "busy" while a push has found it. */
  async createFound(
    account: PublicAccount,
    form: Pick<NewDraft, "articles" | "by">,
    mediaId: string,
  ): Promise<Draft | "busy"> {
    const { store, charsMax } = this.#parts;
    const local = this.#newDraft(account, form);
    const draft = { ...local, status: "in_box", mediaId, pushedVersion: local.version } as const;
    const added = await store.addFound(draft, form.by, boxName(account), charsMax);
    if (added === "full") throw full(charsMax);
    return added;
  }

  #newDraft(account: PublicAccount, form: Pick<NewDraft, "articles" | "writing">): Draft {
    const nowMs = this.#parts.clock();
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
      writing: form.writing ?? [],
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
  }

  async wrote(accountId: string, draftId: string, calls: readonly WritingCall[]): Promise<void> {
    const { id } = await this.find(accountId, draftId);
    await this.#parts.store.addWriting(id, calls);
  }

  async save(accountId: string, draftId: string, edit: DraftEdit): Promise<Draft> {
    const { store, clock } = this.#parts;
    const draft = await this.find(accountId, draftId);
    await this.#move(draft, edit.publicAccount);
    if (draft.version !== edit.base) throw changed(draft);
    if (JSON.stringify(edit.articles) === JSON.stringify(draft.articles)) {
      return this.find(accountId, draftId);
    }
    const nowMs = clock();
    const { articles, by, base } = edit;
    const version = { draftId, version: base + 1, articles, by, createdAtMs: nowMs };
    const replaces = await this.#replaced(draft, by, nowMs);
    const { charsMax } = this.#parts;
    const saved = await store.saveVersion(version, base, replaces, charsMax);
    if (saved === "full") throw full(charsMax);
    if (saved === "changed") throw changed(await this.find(accountId, draftId));
    await store.trimVersions(draftId, VERSIONS_MAX, VERSIONS_CHARS_MAX);
    return this.find(accountId, draftId);
  }

  async find(accountId: string, draftId: string): Promise<Draft> {
    const draft = await this.#parts.store.find(accountId, draftId);
    if (!draft) throw new Fault("not_found", "There is no such draft.");
    return draft;
  }

  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Draft[]> {
    return this.#parts.store.list(accountId, after, limit + 1);
  }

  async versions(accountId: string, draftId: string): Promise<readonly DraftVersion[]> {
    await this.find(accountId, draftId);
    return this.#parts.store.versions(draftId, VERSIONS_MAX);
  }

  async version(accountId: string, draftId: string, version: number): Promise<DraftVersion> {
    await this.find(accountId, draftId);
    const found = await this.#parts.store.findVersion(draftId, version);
    if (!found) throw new Fault("not_found", "The draft has no such version.");
    return found;
  }

  /** A draft that is in no box can go to another one. */
  async #move(draft: Draft, publicAccount: string | undefined): Promise<void> {
    if (publicAccount === undefined) return;
    const { store, publicAccounts, clock } = this.#parts;
    const account = await publicAccounts.find(draft.accountId, publicAccount);
    if (account.id === draft.publicAccountId) return;
    if (await store.move(draft.id, account.id, clock())) return;
    const message = "This draft belongs to its public account; copy it to use another one.";
    throw new Fault("invalid_value", message, { param: "account" });
  }

  /** The version that need not be kept beside the one that follows it. */
  async #replaced(draft: Draft, by: string, nowMs: number): Promise<number | undefined> {
    const isQuiet = draft.status !== "pushing" && draft.status !== "unknown";
    if (!isQuiet || draft.version === 1 || draft.version === draft.pushedVersion) return undefined;
    const newest = await this.#parts.store.findVersion(draft.id, draft.version);
    const isSame = newest?.by === by && nowMs - newest.createdAtMs < SAME_SITTING_MS;
    return isSame ? draft.version : undefined;
  }
}

function full(charsMax: number): Fault {
  const message =
    `The drafts of this account may have ${charsMax} characters together, with their versions and ` +
    "the pictures in their texts; delete some that are not needed any more.";
  return new Fault("invalid_value", message, { param: "articles" });
}

function changed(draft: Draft): Fault {
  return new Fault("edit_conflict", "The draft was changed since it was read; load it again.", {
    facts: { version: draft.version },
  });
}
