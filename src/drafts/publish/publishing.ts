import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import type { Draft, PublicAccount } from "../draft.ts";
import type { DraftShelf } from "../draft-shelf.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import { refusalFault, unreached } from "../platform-api/refusal.ts";
import { isGone, replyValue, unknownFault } from "../platform-api/reply-value.ts";
import type { PublicAccounts } from "../public-accounts.ts";
import type { Errands, HeldErrand } from "../push/errands.ts";
import type { Lookout } from "../push/lookout.ts";
import type { DraftRows } from "../tables/drafts.ts";
import { afterPublish, publishOutcome, publishWords } from "./publish-status.ts";

const LOOK_WAIT_MS = 2_000;
/** How long a call waits for the platform to finish; later calls look again. */
const POLL_WAITS_MS = [500, 1_000, 2_000, 4_000];

interface Parts {
  readonly store: DraftRows;
  readonly shelf: DraftShelf;
  readonly lookout: Lookout;
  readonly errands: Errands;
  readonly publicAccounts: PublicAccounts;
  readonly clientFor: (account: PublicAccount) => PlatformClient;
  /** Whether this installation publishes at all. */
  readonly isOn: boolean;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Makes a draft public. Off by default: a person presses that button on the platform. */
export class Publishing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Two who publish it at once mean the same: the second one finds what the first has done. */
  async publish(accountId: string, draftId: string): Promise<Draft> {
    const { shelf, publicAccounts, errands } = this.#parts;
    const { publicAccountId } = await shelf.find(accountId, draftId);
    const account = await publicAccounts.find(accountId, publicAccountId);
    this.#checkAllowed(account);
    const published = await errands.run(draftId, (held) =>
      this.#publishAlone(accountId, draftId, held),
    );
    return published === "gone" ? shelf.find(accountId, draftId) : published;
  }

  async #publishAlone(accountId: string, draftId: string, { check }: HeldErrand): Promise<Draft> {
    const { shelf, publicAccounts, clientFor, store, clock, lookout } = this.#parts;
    const draft = await shelf.find(accountId, draftId);
    const account = await publicAccounts.find(accountId, draft.publicAccountId);
    const client = clientFor(account);
    if (draft.status === "publishing" && draft.publishId !== null) {
      return this.#follow(draft, client, draft.publishId);
    }
    if (draft.status === "published") return draft;
    if (draft.mediaId === null || draft.status !== "in_box") {
      throw new Fault("invalid_value", "Only a draft that is in the box can be published.");
    }
    if (draft.version !== draft.pushedVersion) {
      throw new Fault("invalid_value", "The newest version is not in the box; push it first.");
    }
    const reply = await client.publish(draft.mediaId, check);
    if (reply.kind === "unknown" && reply.sent) return this.#look(draft, client, reply.reason);
    // An earlier call whose answer was lost may have published it, or somebody has removed it.
    const seen = isGone(reply) ? await lookout.gone(draft, client) : draft;
    if (seen.status === "published") return seen;
    const publishId = replyValue(reply, { draft_id: draftId });
    // Where it was pushed meanwhile, since this took too long, what is published is not what lies there.
    await store.changeSeen(draft, { status: "publishing", publishId }, clock());
    return this.#follow({ ...draft, status: "publishing" }, client, publishId);
  }

  #checkAllowed(account: PublicAccount): void {
    if (!this.#parts.isOn) {
      const message = "Publishing is off here; the operator can set FAREGATE_DRAFTS_PUBLISH=on.";
      throw new Fault("permission_denied", message);
    }
    if (account.publishAllowed) return;
    throw new Fault("permission_denied", "Publishing is not allowed for this public account.");
  }

  async #follow(draft: Draft, client: PlatformClient, publishId: string): Promise<Draft> {
    const { sleep, shelf, store, clock } = this.#parts;
    for (const waitMs of POLL_WAITS_MS) {
      await sleep(waitMs);
      const reply = await client.publishStatus(publishId);
      if (reply.kind !== "ok") continue;
      const { status } = reply.value;
      const outcome = publishOutcome(status);
      if (outcome === "running") continue;
      await store.changeSeen(draft, afterPublish(outcome), clock());
      if (status === 0) return shelf.find(draft.accountId, draft.id);
      const words = publishWords(status);
      throw refusalFault(
        { ...unreached(words, "config"), class: "other", fix: "" },
        {
          draft_id: draft.id,
          publish_status: status,
        },
      );
    }
    return shelf.find(draft.accountId, draft.id);
  }

  /** The answer was lost. A draft that has left the box was published; else nobody can say yet. */
  async #look(draft: Draft, client: PlatformClient, reason: string): Promise<Draft> {
    const { sleep, shelf, store, clock } = this.#parts;
    await sleep(LOOK_WAIT_MS);
    const reply = await client.get(draft.mediaId ?? "");
    if (!isGone(reply)) {
      throw unknownFault(reason, { draft_id: draft.id });
    }
    await store.changeSeen(draft, { status: "published" }, clock());
    return shelf.find(draft.accountId, draft.id);
  }
}
