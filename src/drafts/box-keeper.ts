import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { WireArticle } from "../wechat/article.ts";
import type { Draft, PublicAccount, Push, Receipt } from "./draft.ts";
import type { DraftShelf } from "./draft-shelf.ts";
import type { PlatformClient } from "./platform-api/platform-client.ts";
import { refusalFault, unreached } from "./platform-api/refusal.ts";
import { isGone, replyValue, unknownFault } from "./platform-api/reply-value.ts";
import type { PublicAccounts } from "./public-accounts.ts";
import type { Lookout } from "./push/lookout.ts";
import { isSettled, type Pushes } from "./push/pushes.ts";
import { differencesOf, type ReadBack, type RemotePage } from "./push/read-back.ts";
import type { DraftBoxStore } from "./tables/open.ts";

const PUSHES_SHOWN_MAX = 50;

export interface PushOptions {
  /** Adds it once more, where it was taken out of the box. */
  readonly asNew?: boolean | undefined;
  /** For who has waited for the making of the draft: what has come of its first push is the answer. */
  readonly joined?: boolean | undefined;
}

export interface Pushed {
  readonly draft: Draft;
  readonly push: Push;
  readonly receipt: Receipt;
}

interface Parts {
  readonly store: DraftBoxStore;
  readonly shelf: DraftShelf;
  readonly pushes: Pushes;
  readonly lookout: Lookout;
  readonly publicAccounts: PublicAccounts;
  readonly clientFor: (account: PublicAccount) => PlatformClient;
  readonly clock: Clock;
}

/** What drafts have to do with the boxes of the platform. */
export class BoxKeeper {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async push(
    accountId: string,
    draftId: string,
    { asNew = false, joined = false }: PushOptions = {},
  ): Promise<Pushed> {
    const { shelf, store, pushes } = this.#parts;
    let mayAddAgain = asNew;
    let mayJoin = joined;
    // A push of an older version that was open is finished first; then comes the newest.
    for (;;) {
      // Read before the draft: what ends after this is not in it, and is noticed by its row.
      const latest = mayJoin ? undefined : await store.pushes.latest(draftId);
      mayJoin = false;
      const draft = await shelf.find(accountId, draftId);
      const account = await this.#accountOf(draft);
      const isOver = !latest || isSettled(latest);
      if (isOver && !mayAddAgain && draft.version === draft.pushedVersion) {
        return this.#confirm(draft, account);
      }
      const isAdd = draft.mediaId === null || (isOver && mayAddAgain);
      if (!isAdd && isOver) await this.#checkUpdate(draft);
      const push = await pushes.run(draft, account, isAdd ? "add" : "update", latest);
      if (!push) continue;
      // Also where somebody else has added it: two who ask for a new one at once mean the same one.
      if (push.kind === "add") mayAddAgain = false;
      // What was refused is an older version than the one that shall be pushed here.
      if (push.state === "refused" && push.version < draft.version) continue;
      const pushed = await this.#pushed(accountId, push);
      if (!mayAddAgain && pushed.draft.pushedVersion === pushed.draft.version) return pushed;
    }
  }

  async pushList(accountId: string, draftId: string): Promise<readonly Push[]> {
    await this.#parts.shelf.find(accountId, draftId);
    return this.#parts.store.pushes.list(draftId, PUSHES_SHOWN_MAX);
  }

  async readBack(accountId: string, draftId: string): Promise<ReadBack> {
    const { shelf, store, lookout } = this.#parts;
    const known = await shelf.find(accountId, draftId);
    const nothing = { articles: undefined, url: null, differences: [] };
    if (known.mediaId === null || known.status === "published") return { ...nothing, draft: known };
    const client = await this.#clientOf(known);
    const draft = known.status === "publishing" ? await lookout.follow(known, client) : known;
    if (draft.mediaId === null || draft.status === "published") return { ...nothing, draft };
    const reply = await client.get(draft.mediaId);
    if (isGone(reply)) return { ...nothing, draft: await lookout.gone(draft, client) };
    const articles = replyValue(reply, { draft_id: draftId });
    const sent = (await store.pushes.list(draftId, PUSHES_SHOWN_MAX)).find(
      ({ state }) => state === "done",
    );
    const submitted = JSON.parse(sent?.request ?? "[]") as readonly WireArticle[];
    const url = articles[0]?.url ?? null;
    const differences = sent ? differencesOf(submitted, articles) : [];
    return { draft, articles, url, differences };
  }

  async listBox(
    accountId: string,
    publicAccount: string | undefined,
    page: { readonly offset: number; readonly count: number },
  ): Promise<RemotePage> {
    const client = await this.#clientNamed(accountId, publicAccount);
    return replyValue(await client.list(page.offset, page.count, false));
  }

  async countBox(accountId: string, publicAccount: string | undefined): Promise<number> {
    const client = await this.#clientNamed(accountId, publicAccount);
    return replyValue(await client.count());
  }

  async #clientNamed(accountId: string, name: string | undefined): Promise<PlatformClient> {
    return this.#parts.clientFor(await this.#parts.publicAccounts.find(accountId, name));
  }

  #accountOf(draft: Draft): Promise<PublicAccount> {
    return this.#parts.publicAccounts.find(draft.accountId, draft.publicAccountId);
  }

  async #clientOf(draft: Draft): Promise<PlatformClient> {
    return this.#parts.clientFor(await this.#accountOf(draft));
  }

  /** What was pushed already is looked at, and the first answer given again. */
  async #confirm(draft: Draft, account: PublicAccount): Promise<Pushed> {
    const { store, clientFor, lookout } = this.#parts;
    const done = (await store.pushes.list(draft.id, PUSHES_SHOWN_MAX)).find(
      ({ state }) => state === "done",
    );
    if (!done?.receipt || draft.mediaId === null) {
      const message = "This draft is in the box as it is there; change it before pushing.";
      throw new Fault("invalid_value", message, { facts: { draft_id: draft.id } });
    }
    const client = clientFor(account);
    const reply = await client.get(draft.mediaId);
    const seen = isGone(reply) ? await lookout.gone(draft, client) : draft;
    const url = reply.kind === "ok" ? (reply.value[0]?.url ?? null) : done.receipt.url;
    return { draft: seen, push: done, receipt: { ...done.receipt, url } };
  }

  /** An update replaces articles; it can neither add nor remove one, nor make it another kind. */
  async #checkUpdate(draft: Draft): Promise<void> {
    const facts = { draft_id: draft.id };
    if (draft.status === "published" || draft.status === "publishing") {
      throw new Fault("invalid_value", "A published draft is not in the box any more.", { facts });
    }
    if (draft.status === "removed") {
      throw refusalFault(removedRefusal(), facts);
    }
    const { store } = this.#parts;
    const version = draft.pushedVersion ?? draft.version;
    const before = (await store.drafts.findVersion(draft.id, version))?.articles;
    const kinds = (articles: Draft["articles"]) => articles.map(({ type }) => type).join();
    if (!before || kinds(before) === kinds(draft.articles)) return;
    const message =
      "The number and the types of a draft's articles cannot change once it is in the box; " +
      "push it as a new one.";
    throw new Fault("invalid_value", message, { param: "articles", facts });
  }

  async #pushed(accountId: string, push: Push): Promise<Pushed> {
    const draft = await this.#parts.shelf.find(accountId, push.draftId);
    const facts = { draft_id: draft.id, push_id: push.id };
    if (push.state === "done" && push.receipt) return { draft, push, receipt: push.receipt };
    if (push.state === "unknown") throw unknownFault(push.doubt ?? "", facts);
    const refusal = push.refusal ?? unreached("the push has no end", "config");
    if (refusal.class === "busy") {
      const headers = { "retry-after": "10" };
      throw new Fault("push_busy", `Not sent: ${refusal.errmsg}`, { facts, headers });
    }
    if (draft.status === "removed") throw refusalFault(removedRefusal(), facts);
    const { field } = refusal;
    const isPath = field === null || field === "articles" || draft.articles.length !== 1;
    throw refusalFault({ ...refusal, field: isPath ? field : `articles[0].${field}` }, facts);
  }
}

function removedRefusal() {
  const words = "it is not in the box any more.";
  const fix = "Push it as a new one if that is wanted.";
  return { ...unreached(words, "config"), class: "removed", fix };
}
