import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import { unreached } from "../platform-api/refusal.ts";
import type { ArticleRenderer } from "../render-pool/article-renderer.ts";
import type { PushRows } from "../tables/pushes.ts";
import { type Search, searchBox, sentAgo } from "./box-search.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { LeaseLost, type PushRun, SameWordsBusy } from "./push-run.ts";

/** Before the box is read after an answer was lost: the platform may still be storing. */
const LOOK_WAITS_MS = [2_000, 10_000];
/** The same where it did not even answer in time. */
const SLOW_LOOK_WAITS_MS = [2_000, 10_000, 30_000];
/** The same for a push that is taken up later. */
const LATE_LOOK_WAITS_MS = [0, 2_000];
const RESENDS_MAX = 1;
/** How long a draft waits for another one of the same words to be over. */
const TWIN_WAITS_MS = [1_000, 2_000, 5_000, 10_000];
/** How long whoever has lost a push waits to see what became of it. */
const LOST_WAITS_MS = [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 30_000];

export type Added =
  | { readonly kind: "added"; readonly mediaId: string; readonly reconciled: boolean }
  | { readonly kind: "refused"; readonly refusal: PlatformRefusal }
  | { readonly kind: "unknown"; readonly doubt: string };

interface Parts {
  readonly run: PushRun;
  readonly client: PlatformClient;
  readonly store: PushRows;
  /** Names the box among all that we know. */
  readonly box: string;
  readonly renderer: ArticleRenderer;
  readonly steady: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

/**
 * Brings one draft into the box. The platform has no way to say "this is the same call again", so
 * after an outcome that is not known the box is read, and only what is surely not there is sent
 * once more.
 */
export class Adding {
  readonly #parts: Parts;
  readonly #articles: readonly PlatformArticle[];
  #resendsLeft = RESENDS_MAX;
  /** When it was first sent, by the steady clock: the time of day may be set while its answer is awaited. */
  #firstSentMs: number | undefined;
  /** There was a sending before the last one, and it may still be stored. */
  #wasSentBefore = false;

  constructor(parts: Parts, articles: readonly PlatformArticle[]) {
    this.#parts = parts;
    this.#articles = articles;
  }

  /** For the first time. */
  begin(): Promise<Added> {
    return this.#send();
  }

  /** Takes up what was sent by somebody else, or earlier, with an outcome that nobody knows. */
  async resume(): Promise<Added> {
    const { run, steady } = this.#parts;
    this.#firstSentMs = steady() - sentAgo(run.push, { clock: run.clock, steady });
    this.#wasSentBefore = true;
    await run.step({ state: "sending" });
    const { mediaId } = run.push;
    if (mediaId !== null) return this.#added(mediaId, false);
    return this.#settle(LATE_LOOK_WAITS_MS, "the answer was lost");
  }

  async #send(): Promise<Added> {
    await this.#announce();
    const { client, run, steady } = this.#parts;
    this.#firstSentMs ??= steady();
    return this.#judge(await client.add(this.#articles, run.checkHeld));
  }

  /** Writes that it is going to be sent, once nothing that looks the same is on its way. */
  async #announce(): Promise<void> {
    const { run, renderer, sleep } = this.#parts;
    const { sends, sentAtMs } = run.push;
    const step = {
      state: "sending",
      request: JSON.stringify(this.#articles),
      // What is sent again is what it was, and nothing may refuse it while the first may still be stored.
      ...(this.#wasSentBefore
        ? {}
        : { fingerprint: fingerprintOf(await renderer.mark(this.#articles)) }),
      sends: sends + 1,
      sentAtMs: sentAtMs ?? run.clock(),
      doubt: null,
    } as const;
    for (const waitMs of TWIN_WAITS_MS) {
      try {
        return await run.step(step);
      } catch (thrown) {
        if (!(thrown instanceof SameWordsBusy)) throw thrown;
        await sleep(waitMs);
      }
    }
    await run.step({ ...step, sentAtMs: sentAtMs ?? run.clock() });
  }

  async #judge(reply: Reply<string>): Promise<Added> {
    if (reply.kind === "ok") {
      try {
        await this.#parts.run.step({ mediaId: reply.value });
      } catch (thrown) {
        if (thrown instanceof LeaseLost) await this.#takeBack(reply.value);
        throw thrown;
      }
      return this.#added(reply.value, false);
    }
    if (reply.kind === "refused") {
      const { refusal } = reply;
      // A code that nobody knows does not say that nothing was stored.
      if (refusal.class === "other") return this.#settle(LOOK_WAITS_MS, refusal.errmsg, refusal);
      return this.#refused(refusal);
    }
    if (!reply.sent) return this.#refused(unreached(reply.reason, "unreachable"), reply.reason);
    return this.#settle(reply.slow ? SLOW_LOOK_WAITS_MS : LOOK_WAITS_MS, reply.reason);
  }

  /**
   * Nothing was stored of the last sending. A refusal of the article itself is for those before it too; any
   * other is only for the one that met it.
   */
  #refused(refusal: PlatformRefusal, reason = `${refusal.errmsg} ${refusal.fix}`): Added {
    if (!this.#wasSentBefore || refusal.class === "input") return { kind: "refused", refusal };
    const doubt = `It was sent before, and that may still be stored; last: ${reason}`;
    return { kind: "unknown", doubt };
  }

  /** Reads the box until it is known what became of the sending. */
  async #settle(
    waitsMs: readonly number[],
    reason: string,
    refusal?: PlatformRefusal,
  ): Promise<Added> {
    let unreadable: string | undefined;
    for (const waitMs of waitsMs) {
      await this.#parts.sleep(waitMs);
      const search = await this.#search();
      if (search.kind === "unreadable") {
        unreadable = search.reason;
        continue;
      }
      const [mediaId] = search.mediaIds;
      if (mediaId === undefined) continue;
      // As many as were sent are ours; more are somebody else's, and nobody can say which.
      if (search.mediaIds.length > this.#parts.run.push.sends) return several(search.mediaIds);
      await this.#parts.run.step({ mediaId });
      return this.#added(mediaId, true);
    }
    if (unreadable !== undefined) {
      const doubt = `The outcome is not known (${reason}), and the box cannot be read: ${unreadable}`;
      return { kind: "unknown", doubt };
    }
    if (refusal) return this.#refused(refusal);
    if (this.#resendsLeft === 0) {
      const doubt = `It was sent again and is still not in the box; last: ${reason}`;
      return { kind: "unknown", doubt };
    }
    this.#resendsLeft -= 1;
    this.#wasSentBefore = true;
    return this.#send();
  }

  /** What is in the box and looks like this draft, less what belongs to other pushes. */
  async #search(): Promise<Search> {
    const { run, client, store, box, renderer, steady } = this.#parts;
    await run.renew();
    const { id: pushId, draftId } = run.push;
    const nowMs = steady();
    const sentAgoMs = nowMs - (this.#firstSentMs ?? nowMs);
    const wanted = { articles: this.#articles, sentAgoMs };
    const search = await searchBox(client, renderer, wanted, run.clock);
    if (search.kind === "unreadable" || search.mediaIds.length === 0) return search;
    const claimed = await store.claimed(box, search.mediaIds, { pushId, draftId });
    return { kind: "found", mediaIds: search.mediaIds.filter((id) => !claimed.has(id)) };
  }

  /**
   * Somebody else has gone on with the push while this process was held up. What it has added is
   * what they have found, or one too many.
   */
  async #takeBack(mediaId: string): Promise<void> {
    const { run, client, store, box, sleep, log } = this.#parts;
    for (const waitMs of LOST_WAITS_MS) {
      await sleep(waitMs);
      const push = await store.find(run.push.id);
      if (push?.state === "unknown") return;
      if (push && push.state !== "done" && push.state !== "refused") continue;
      const nobody = { pushId: "", draftId: "" };
      if ((await store.claimed(box, [mediaId], nobody)).has(mediaId)) return;
      const reply = await client.remove(mediaId);
      if (reply.kind === "unknown") continue;
      log.warn("draft_twins_removed", { push: run.push.id, twins: [mediaId] });
      return;
    }
    log.warn("draft_twins_unsure", { push: run.push.id, twins: [mediaId] });
  }

  /** It is in the box. What was sent twice may be there twice, if one was stored very late. */
  async #added(mediaId: string, reconciled: boolean): Promise<Added> {
    if (this.#parts.run.push.sends > 1) await this.#removeTwins(mediaId);
    return { kind: "added", mediaId, reconciled };
  }

  /** Takes out what was sent by the same push and nobody has been told of. */
  async #removeTwins(mediaId: string): Promise<void> {
    const { run, client, sleep, log } = this.#parts;
    for (const waitMs of LATE_LOOK_WAITS_MS) {
      await sleep(waitMs);
      const search = await this.#search();
      if (search.kind === "unreadable") continue;
      const twins = search.mediaIds.filter((id) => id !== mediaId);
      if (twins.length >= run.push.sends) break;
      const replies = await Promise.all(twins.map((twin) => client.remove(twin)));
      if (twins.length > 0) log.warn("draft_twins_removed", { push: run.push.id, twins });
      // A second call for what is gone is only told so.
      if (replies.every(({ kind }) => kind !== "unknown")) return;
    }
    log.warn("draft_twins_unsure", { push: run.push.id });
  }
}

function several(mediaIds: readonly string[]): Added {
  const doubt =
    `The box has ${mediaIds.length} drafts that look like this one (${mediaIds.join(", ")}). ` +
    "Delete those that are too many on the platform, then retry.";
  return { kind: "unknown", doubt };
}
