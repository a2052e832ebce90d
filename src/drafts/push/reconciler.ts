import type { Clocks } from "../../lib/clock.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { Draft, DraftLine, PublicAccount } from "../draft.ts";
import { findDraft } from "../kept-drafts.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import { isGone } from "../platform-api/reply-value.ts";
import type { PublicAccounts } from "../public-accounts.ts";
import { isDoubtOver, isInDoubt } from "../publish/publish-doubt.ts";
import { afterPublish, publishOutcome } from "../publish/publish-status.ts";
import {
  isPublicationOf,
  type PublishedItem,
  type SentArticles,
} from "../publish/published-item.ts";
import type { DraftBoxStore } from "../tables/open.ts";

interface Parts extends Clocks {
  readonly store: DraftBoxStore;
  readonly publicAccounts: PublicAccounts;
  readonly clientFor: (account: PublicAccount) => PlatformClient;
  /** How long what was seen of a box is believed, where looking means calling somebody else's server. */
  readonly limits: { readonly draft_look_ms: number };
}

const PUSHES_READ_MAX = 50;
/** The newest drafts of an account that are reconciled; an older one is when its user opens it. */
const DRAFTS_MAX = 100;
const PAGE = 20;
const PAGES_MAX = 5;
/** An account may read the list of what was published a hundred times a day. */
const SEARCH_AGAIN_MS = 30 * 60_000;
/** A draft that left the box and is not published within this time was deleted. */
const SEARCH_WITHIN_MS = 24 * 3_600_000;

/** What was published since, or undefined where the platform did not say. */
async function publishedSince(
  client: PlatformClient,
  sinceMs: number,
): Promise<readonly PublishedItem[] | undefined> {
  const items: PublishedItem[] = [];
  for (let page = 0; page < PAGES_MAX; page++) {
    const reply = await client.published(page * PAGE, PAGE);
    if (reply.kind === "unknown") return undefined;
    // An account that may not publish has published nothing by this list.
    if (reply.kind === "refused") return reply.refusal.class === "config" ? items : undefined;
    items.push(...reply.value);
    const oldest = reply.value.at(-1);
    if (reply.value.length < PAGE || (oldest && oldest.updatedAtMs < sinceMs)) break;
  }
  return items;
}

/** The media ids of a whole box; undefined where it cannot be told, or has more than is read. */
async function boxIds(client: PlatformClient): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  for (let page = 0; page < PAGES_MAX; page++) {
    const reply = await client.list(page * PAGE, PAGE, false);
    if (reply.kind !== "ok") return undefined;
    for (const { mediaId } of reply.value.items) ids.add(mediaId);
    if (reply.value.items.length < PAGE) return ids;
  }
  return undefined;
}

/** Reconciles drafts with the platform, where people publish, send and delete them. */
export class Reconciler {
  readonly #parts: Parts;
  /**
   * When the box of a public account was last read, the list of what it has published, and a single draft, by the steady
   * clock.
   */
  readonly #lookedAtMs = new Map<string, number>();
  readonly #searchedAtMs = new Map<string, number>();
  readonly #openedAtMs = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * A draft that the box does not have any more. It was published if the platform lists it so; what was
   * sent to followers is in no list, and is gone like what was deleted. Unchanged where the platform
   * does not say, and where it was not known to be in the box: what lay there before says nothing of what
   * a push has put there since.
   */
  async gone<Seen extends DraftLine>(draft: Seen, client: PlatformClient): Promise<Seen | Draft> {
    if (draft.status === "publishing") return this.follow(draft, client);
    if (draft.status !== "in_box") return draft;
    const sent = await this.#sent(draft);
    return this.#settle(draft, sent, await publishedSince(client, sent.sinceMs));
  }

  /**
   * Finds out what people have done with the newest drafts of an account on the platform: published or
   * gone. How many are not what they were. The platform is asked once in a while only.
   */
  async look(accountId: string): Promise<number> {
    const { store, publicAccounts, clientFor } = this.#parts;
    const newest = await store.drafts.list(accountId, undefined, DRAFTS_MAX);
    const drafts = newest.filter((draft) => this.#isWatched(draft));
    let changed = 0;
    for (const [publicAccountId, own] of Map.groupBy(drafts, (draft) => draft.publicAccountId)) {
      const account = await publicAccounts.find(accountId, publicAccountId);
      if (!this.#isTime(this.#lookedAtMs, publicAccountId, this.#believedMs(account))) continue;
      changed += await this.#lookInto(account, own, clientFor(account));
    }
    return changed;
  }

  /** The same for one draft that a user has open. Pages ask every few seconds, and the platform counts its calls by the day. */
  async lookAt(accountId: string, draftId: string): Promise<number> {
    const { publicAccounts, clientFor } = this.#parts;
    const before = await findDraft(this.#parts, accountId, draftId);
    const account = await publicAccounts.find(accountId, before.publicAccountId);
    this.#forgetOpened();
    if (!this.#isTime(this.#openedAtMs, draftId, this.#believedMs(account))) return 0;
    const { status } = await this.#seen(before, clientFor(account));
    return status === before.status ? 0 : 1;
  }

  async #seen(draft: Draft, client: PlatformClient): Promise<Draft> {
    if (draft.status === "publishing") return this.follow(draft, client);
    if (draft.status !== "in_box") return draft;
    return isGone(await client.get(draft.mediaId ?? "")) ? this.gone(draft, client) : draft;
  }

  /** No time for the built-in platform: its page, which a user may come from, has just changed the draft. */
  #believedMs({ kind }: PublicAccount): number {
    return kind === "built-in" ? 0 : this.#parts.limits.draft_look_ms;
  }

  #forgetOpened(): void {
    const { steady, limits } = this.#parts;
    const sinceMs = steady() - limits.draft_look_ms;
    for (const [id, atMs] of this.#openedAtMs) if (atMs <= sinceMs) this.#openedAtMs.delete(id);
  }

  #isWatched({ status, mediaId, updatedAtMs }: DraftLine): boolean {
    if (mediaId === null) return false;
    if (status === "in_box" || status === "publishing") return true;
    return status === "removed" && this.#parts.clock() - updatedAtMs < SEARCH_WITHIN_MS;
  }

  /** True once in so long, for each public account or draft. */
  #isTime(times: Map<string, number>, id: string, everyMs: number): boolean {
    const nowMs = this.#parts.steady();
    if (nowMs - (times.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs) return false;
    times.set(id, nowMs);
    return true;
  }

  async #lookInto({ id }: PublicAccount, drafts: readonly DraftLine[], client: PlatformClient) {
    const after: DraftLine[] = [];
    const inBox = drafts.filter(({ status }) => status === "in_box");
    const ids = inBox.length > 0 ? await boxIds(client) : undefined;
    const missing = ids ? inBox.filter(({ mediaId }) => !ids.has(mediaId ?? "")) : [];
    const removed = drafts.filter(({ status }) => status === "removed");
    // One list for all of them: it may be read only so often.
    const isNews = missing.length > 0;
    const isTime = removed.length > 0 && this.#isTime(this.#searchedAtMs, id, SEARCH_AGAIN_MS);
    if (isNews || isTime) after.push(...(await this.#search([...missing, ...removed], client)));
    for (const draft of drafts) {
      if (draft.status === "publishing") after.push(await this.follow(draft, client));
    }
    const before = new Map(drafts.map((draft) => [draft.id, draft.status]));
    return after.filter((draft) => before.get(draft.id) !== draft.status).length;
  }

  async #search(
    drafts: readonly DraftLine[],
    client: PlatformClient,
  ): Promise<readonly DraftLine[]> {
    const all = await Promise.all(
      drafts.map(async (draft) => ({ draft, sent: await this.#sent(draft) })),
    );
    const sinceMs = Math.min(...all.map(({ sent }) => sent.sinceMs));
    const published = await publishedSince(client, sinceMs);
    const after: DraftLine[] = [];
    for (const { draft, sent } of all) {
      // A list that was read while a push put it there does not have it.
      const isThere = draft.status === "in_box" && !isGone(await client.get(draft.mediaId ?? ""));
      after.push(isThere ? draft : await this.#settle(draft, sent, published));
    }
    return after;
  }

  async #settle<Seen extends DraftLine>(
    draft: Seen,
    sent: SentArticles,
    published: readonly PublishedItem[] | undefined,
  ): Promise<Seen | Draft> {
    if (published === undefined) return draft;
    const isOut = published.some((item) => isPublicationOf(item, sent));
    return this.#change(draft, { status: isOut ? "published" : "removed" });
  }

  /** A publish of ours that had not ended when we last looked. */
  async follow<Seen extends DraftLine>(draft: Seen, client: PlatformClient): Promise<Seen | Draft> {
    if (isInDoubt(draft)) return this.#settleDoubt(draft, client);
    if (draft.publishId === null) return draft;
    const reply = await client.publishStatus(draft.publishId);
    const outcome = reply.kind === "ok" ? publishOutcome(reply.value.status) : "running";
    if (outcome === "running") return draft;
    return this.#change(draft, afterPublish(outcome));
  }

  /**
   * A publish of ours whose answer was lost. A draft that has left the box was published, however long ago; one that has
   * not for so long is in the box as it was. Until then, and where the box cannot be read, it stays unchanged.
   */
  async #settleDoubt<Seen extends DraftLine>(
    draft: Seen,
    client: PlatformClient,
  ): Promise<Seen | Draft> {
    const reply = await client.get(draft.mediaId ?? "");
    if (isGone(reply)) return this.#change(draft, { status: "published" });
    const isThere = reply.kind === "ok" && isDoubtOver(draft, this.#parts.clock());
    return isThere ? this.#change(draft, { status: "in_box" }) : draft;
  }

  async #change<Seen extends DraftLine>(
    draft: Seen,
    change: Partial<Pick<Draft, "status" | "publishId">>,
  ): Promise<Seen | Draft> {
    if (change.status === draft.status) return draft;
    const { store, clock } = this.#parts;
    // Where a push has begun or ended since, what was seen is not about that.
    await store.drafts.changeSeen(draft, change, clock());
    return findDraft(this.#parts, draft.accountId, draft.id);
  }

  /** What the box was last given of a draft, and when; of one that was made there, what we know of it. */
  async #sent({ id, articles, createdAtMs }: DraftLine): Promise<SentArticles> {
    const pushes = await this.#parts.store.pushes.list(id, PUSHES_READ_MAX);
    const done = pushes.find(({ state, request }) => state === "done" && request !== null);
    if (!done) return { articles: articles.map(({ title }) => ({ title })), sinceMs: createdAtMs };
    const sent = JSON.parse(done.request ?? "[]") as readonly PlatformArticle[];
    return { articles: sent, sinceMs: done.sentAtMs ?? done.createdAtMs };
  }
}
