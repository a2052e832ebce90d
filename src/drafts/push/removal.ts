import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import type { WireArticle } from "../../wechat/article.ts";
import type { Workshop } from "../article/workshop.ts";
import { searchBox } from "../box-search.ts";
import type { Draft, PublicAccount, Push } from "../draft.ts";
import type { DraftShelf } from "../draft-shelf.ts";
import { boxName, type PlatformClient } from "../platform-api/platform-client.ts";
import { isGone, replyValue } from "../platform-api/reply-value.ts";
import type { PublicAccounts } from "../public-accounts.ts";
import type { DraftBoxStore } from "../tables/open.ts";
import type { Errands, HeldErrand } from "./errands.ts";
import { busyFault } from "./leases.ts";

const LOOK_WAIT_MS = 2_000;
/** What is being published may still be given back by the review, and is taken out too. */
const HAS_LEFT: ReadonlySet<Draft["status"]> = new Set(["published", "removed"]);

interface Parts {
  readonly store: Pick<DraftBoxStore, "drafts" | "pushes">;
  readonly shelf: DraftShelf;
  readonly errands: Errands;
  readonly publicAccounts: PublicAccounts;
  readonly clientFor: (account: PublicAccount) => PlatformClient;
  readonly workshop: Workshop;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Deletes drafts, with everything that they have put into the box. */
export class Removal {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Waits for a push of the draft that runs, since that may put something into the box. */
  async remove(accountId: string, draftId: string): Promise<void> {
    const { shelf, errands } = this.#parts;
    await shelf.find(accountId, draftId);
    // Whoever meets another one that deletes it has what was wanted.
    await errands.run(draftId, async (held) => this.#removeAlone(accountId, draftId, held));
  }

  async #removeAlone(accountId: string, draftId: string, held: HeldErrand): Promise<void> {
    const { shelf, store, publicAccounts } = this.#parts;
    const draft = await shelf.find(accountId, draftId);
    if (draft.status === "unknown") {
      const message = "It is not known whether this draft is in the box; retry its push first.";
      throw new Fault("platform_unknown", message, { facts: { draft_id: draftId } });
    }
    const account = await publicAccounts.find(accountId, draft.publicAccountId);
    for (const mediaId of await this.#inBox(draft, account)) {
      await this.#takeOut(account, mediaId, draftId, held);
    }
    if (await store.drafts.remove(accountId, draftId, held.owner)) return;
    throw busyFault(draftId, "Deleting took too long, and somebody else has the draft; ask again.");
  }

  /** Where it lies, and what earlier pushes have put there beside it. */
  async #inBox(draft: Draft, account: PublicAccount): Promise<readonly string[]> {
    const { store } = this.#parts;
    const found = new Set(await store.pushes.added(draft.id));
    const resent = await store.pushes.latestSentTwice(draft.id);
    if (resent) for (const twin of await this.#twins(resent, account)) found.add(twin);
    if (draft.mediaId === null) return [...found];
    found.delete(draft.mediaId);
    return HAS_LEFT.has(draft.status) ? [...found] : [...found, draft.mediaId];
  }

  /** What was sent twice may have been stored twice, one of them long after the push was over. */
  async #twins(push: Push, account: PublicAccount): Promise<readonly string[]> {
    const { store, clientFor, workshop, clock } = this.#parts;
    const { id: pushId, draftId, mediaId: known, sends, sentAtMs, request } = push;
    if (sentAtMs === null || request === null) return [];
    const wanted = { articles: JSON.parse(request) as readonly WireArticle[], sentAtMs };
    const press = workshop.pressFor(account.accountId);
    const search = await searchBox(clientFor(account), press, wanted, clock);
    if (search.kind === "unreadable") return [];
    const taken = await store.pushes.claimed(boxName(account), search.mediaIds, {
      pushId,
      draftId,
    });
    const twins = search.mediaIds.filter((mediaId) => mediaId !== known && !taken.has(mediaId));
    // More than were sent are not all ours, and nobody can say which.
    return twins.length > sends - (known === null ? 0 : 1) ? [] : twins;
  }

  async #takeOut(
    account: PublicAccount,
    mediaId: string,
    draftId: string,
    { check }: HeldErrand,
  ): Promise<void> {
    const { clientFor, sleep } = this.#parts;
    const client = clientFor(account);
    const facts = { draft_id: draftId };
    const reply = await client.remove(mediaId, check);
    if (isGone(reply)) return;
    if (reply.kind !== "unknown") {
      replyValue(reply, facts);
      return;
    }
    await sleep(LOOK_WAIT_MS);
    // Deleting again what is gone is only told so.
    const again = await client.remove(mediaId, check);
    if (!isGone(again)) replyValue(again, facts);
  }
}
