import { Fault } from "../lib/faults.ts";
import type { ArticleDoc } from "./contract/article.ts";
import { type Diagnosis, examine } from "./doctor.ts";
import type { Draft, DraftVersion, Push, WritingCall } from "./draft.ts";
import { type DraftBoxParts, type Ground, openGround } from "./ground.ts";
import {
  createDraft,
  type DraftEdit,
  findDraft,
  type NewDraft,
  saveDraft,
  versionsOf,
} from "./kept-drafts.ts";
import { replyValue } from "./platform-api/reply-value.ts";
import type { PublicAccounts } from "./public-accounts.ts";
import { publishDraft } from "./publish/publishing.ts";
import type { Begun } from "./push/draft-keys.ts";
import { importDraft } from "./push/importing.ts";
import type { PreviewForAccount } from "./push/preparing.ts";
import { PUSHES_SHOWN_MAX, type Pushed, type PushOptions, pushDraft } from "./push/push-draft.ts";
import { removeDraft } from "./push/removal.ts";
import type { ReadBack, RemotePage } from "./read-back/read-back.ts";
import { readDraft } from "./read-back/read-draft.ts";
import type { Ticket } from "./tables/keys.ts";

/**
 * Drafts of an account and the boxes they lie in. Every method throws a `Fault` for what a caller
 * can be told: `not_found`, `preflight_failed` (with `problems`), `platform_refused` (with the
 * platform's words), `platform_unknown`, `push_busy`, `idempotency_conflict`, `edit_conflict`,
 * `upstream_unavailable` where the platform was not reached and nothing was sent.
 */
export class DraftService {
  readonly publicAccounts: PublicAccounts;
  readonly #ground: Ground;

  constructor(parts: DraftBoxParts) {
    this.#ground = openGround(parts);
    this.publicAccounts = this.#ground.publicAccounts;
  }

  /** Rendered, filtered as the platform will, and judged; nothing is called. */
  async preview(
    accountId: string,
    request: {
      readonly articles: readonly ArticleDoc[];
      readonly publicAccount?: string | undefined;
    },
  ): Promise<PreviewForAccount> {
    const account = await this.publicAccounts.find(accountId, request.publicAccount);
    return this.#ground.preparing.preview(request.articles, account);
  }

  /**
   * Takes an `Idempotency-Key`: whoever gets a ticket creates the draft with it, while holding it.
   * A key that has its draft leads to it; push that one again, which sends nothing twice. Whoever has
   * waited for somebody else's ticket is thrown what that one has failed with.
   */
  begin(accountId: string, key: string, requestSum: string): Promise<Begun> {
    return this.#ground.keys.begin(accountId, key, requestSum);
  }

  holding<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
    return this.#ground.keys.hold(ticket, work);
  }

  /** The same for work that makes no draft: it is done once, and its outcome kept as JSON for a while. */
  once<T>(
    claim: { readonly accountId: string; readonly key: string; readonly requestSum: string },
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#ground.keys.once(claim, work);
  }

  /** Calls of a model that were made for this draft, for its receipt. */
  async wrote(accountId: string, draftId: string, calls: readonly WritingCall[]): Promise<void> {
    const { id } = await this.find(accountId, draftId);
    await this.#ground.store.drafts.addWriting(id, calls);
  }

  /** A draft that is nowhere but here. */
  create(accountId: string, draft: NewDraft): Promise<Draft> {
    return createDraft(this.#ground, accountId, draft);
  }

  /** Autosave: a new version of the working copy, local only. Refused when `base` is not the newest. */
  save(accountId: string, draftId: string, edit: DraftEdit): Promise<Draft> {
    return saveDraft(this.#ground, accountId, draftId, edit);
  }

  /**
   * Brings the newest version into the box: adds it, or updates what is there. What is there already
   * is only looked at. An unknown outcome is first resolved by reading the box. Of several who push
   * it at once one does, and all are told what came of it.
   */
  push(accountId: string, draftId: string, options: PushOptions = {}): Promise<Pushed> {
    return pushDraft(this.#ground, accountId, draftId, options);
  }

  find(accountId: string, draftId: string): Promise<Draft> {
    return findDraft(this.#ground.store.drafts, accountId, draftId);
  }

  /** Newest first, one more than `limit` where there is a next page. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Draft[]> {
    return this.#ground.store.drafts.list(accountId, after, limit + 1);
  }

  async versions(accountId: string, draftId: string): Promise<readonly DraftVersion[]> {
    return versionsOf(this.#ground.store.drafts, await this.find(accountId, draftId));
  }

  async version(accountId: string, draftId: string, version: number): Promise<DraftVersion> {
    await this.find(accountId, draftId);
    const found = await this.#ground.store.drafts.findVersion(draftId, version);
    if (!found) throw new Fault("not_found", "The draft has no such version.");
    return found;
  }

  async pushes(accountId: string, draftId: string): Promise<readonly Push[]> {
    await this.find(accountId, draftId);
    return this.#ground.store.pushes.list(draftId, PUSHES_SHOWN_MAX);
  }

  /**
   * Finds out what people have done with the account's drafts on the platform: published or gone. How
   * many are not what they were. The platform is asked once in a while only.
   */
  look(accountId: string): Promise<number> {
    return this.#ground.lookout.look(accountId);
  }

  /** What the box has under this draft now, beside what was sent. */
  readBack(accountId: string, draftId: string): Promise<ReadBack> {
    return readDraft(this.#ground, accountId, draftId);
  }

  /** Deletes it here and all that it has put into the box. Waits for a push that runs. */
  remove(accountId: string, draftId: string): Promise<void> {
    return removeDraft(this.#ground, accountId, draftId);
  }

  /** Off unless the installation and the public account allow it. */
  publish(accountId: string, draftId: string): Promise<Draft> {
    return publishDraft(this.#ground, accountId, draftId);
  }

  /** What lies in the box itself, whoever put it there. */
  async listBox(
    accountId: string,
    publicAccount: string | undefined,
    page: { readonly offset: number; readonly count: number },
  ): Promise<RemotePage> {
    const client = this.#ground.clientFor(await this.publicAccounts.find(accountId, publicAccount));
    return replyValue(await client.list(page.offset, page.count, false));
  }

  /**
   * A draft of the box as one of ours, for editing. The same one when it is known already; `push_busy`
   * when it may be what a push has put there that is not over.
   */
  importDraft(
    accountId: string,
    publicAccount: string | undefined,
    mediaId: string,
    by: string,
  ): Promise<Draft> {
    return importDraft(this.#ground, accountId, publicAccount, mediaId, by);
  }

  /** Credential, address, rights and quota of a public account, without changing anything. */
  async doctor(accountId: string, publicAccount: string | undefined): Promise<Diagnosis> {
    const { clientFor, usualProxy, publishOn } = this.#ground;
    const account = await this.publicAccounts.find(accountId, publicAccount);
    const client = clientFor(account);
    const usual = usualProxy?.(client.platformUrl);
    const proxy = account.access?.proxyOrigin ?? (usual && new URL(usual).origin);
    return examine(account, client, { publishOn, proxy });
  }

  /** Finishes pushes that a process which ended has left. At the start, and now and then. */
  async recover(): Promise<void> {
    const { pushes, log } = this.#ground;
    const finished = await pushes.recover();
    if (finished > 0) log.warn("draft_pushes_recovered", { finished });
  }
}
