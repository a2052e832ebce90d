import { randomBytes } from "node:crypto";
import { type Clock, every } from "../../lib/clock.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import type { Log } from "../../telemetry/log.ts";
import type { PublicAccount } from "../account.ts";
import type { Accounts } from "../accounts.ts";
import { addressSignature } from "../article-address.ts";
import { type DraftBox, isMediaId } from "../draftbox/draft-box.ts";
import { PlatformError } from "../platform-error.ts";
import type { PublishingRows } from "../tables/publishing.ts";
import { pushPublish } from "./callback.ts";
import type { Publication, Publish, PublishOutcome } from "./publication.ts";

interface PublishingParts {
  readonly store: PublishingRows;
  readonly accounts: Accounts;
  readonly box: DraftBox;
  readonly clock: Clock;
  readonly log: Log;
  readonly tasks: TaskGroup;
  readonly limits: { readonly platform_publish_ms: number };
  /** Whether accounts may be told at addresses of this machine. */
  readonly loopbackCallbacks: boolean;
}

/** How a publish shall end, where a test has said so. */
interface PublishPlan {
  readonly outcome: PublishOutcome;
  readonly failed: readonly number[];
  readonly delayMs: number | undefined;
}

/** How often what other processes have left is looked for. */
const LOOK_MS = 5_000;
const PUSHES = 3;
export const PUSH_AGAIN_MS = 5_000;
const FIRST_ID = 2_247_483_648;
const IDS = 1_900_000_000;

/** Ten digits, as the platform's are. */
function newNumber(): number {
  return FIRST_ID + (randomBytes(4).readUInt32BE() % IDS);
}

/** 43 characters that need no escaping anywhere. */
function newArticleId(): string {
  return randomBytes(32).toString("base64url");
}

/** Only verified accounts publish and send. */
function requireVerified({ verified }: PublicAccount): void {
  if (!verified) throw new PlatformError(48001);
}

/** Makes drafts public. What is under way is in the database, so a restart takes it up. */
export class Publishing {
  readonly #parts: PublishingParts;
  readonly #plans: PublishPlan[] = [];

  constructor(parts: PublishingParts) {
    this.#parts = parts;
  }

  /** For tests: the next submissions go by these plans, one each. */
  plan(plans: readonly PublishPlan[]): void {
    this.#plans.push(...plans);
  }

  forgetPlans(): void {
    this.#plans.length = 0;
  }

  /** Whether a submission to come goes by a plan. */
  get isPlanned(): boolean {
    return this.#plans.length > 0;
  }

  /** Takes up what is under way; returns the way to stop. */
  start(): () => void {
    const { tasks } = this.#parts;
    tasks.run(this.proceed());
    return every(LOOK_MS, () => tasks.run(this.proceed()));
  }

  async submit(account: PublicAccount, mediaId: string, origin: string): Promise<number> {
    const { store, box, clock, limits } = this.#parts;
    requireVerified(account);
    const draft = await box.find(account.appid, mediaId);
    if (draft === undefined) throw new PlatformError(40007, "media_id");
    const plan = this.#plans.shift();
    const delayMs = plan?.delayMs ?? limits.platform_publish_ms;
    const nowMs = clock();
    const publishId = newNumber();
    const isTaken = await store.submit({
      publish_id: publishId,
      appid: account.appid,
      media_id: mediaId,
      origin,
      outcome: plan?.outcome ?? 0,
      failed: plan?.failed ?? [],
      submitted_at: nowMs,
      due_at: nowMs + delayMs,
    });
    if (!isTaken) throw new PlatformError(53503, "media_id");
    this.#proceedIn(delayMs);
    return publishId;
  }

  /** The ids of the message and of its articles. */
  async massSend(
    account: PublicAccount,
    mediaId: string,
    clientMsgId?: string,
  ): Promise<{ readonly msgId: number; readonly articleId: string }> {
    const { store, clock } = this.#parts;
    requireVerified(account);
    if (!isMediaId(mediaId)) throw new PlatformError(40007, "media_id");
    const send = { msgId: newNumber(), articleId: newArticleId(), clientMsgId };
    const done = await store.send(account.appid, mediaId, send, clock());
    if (done === "no_draft") throw new PlatformError(40007, "media_id");
    if (done === "repeated") throw new PlatformError(45065, undefined, "clientmsgid exist");
    return send;
  }

  async find(appid: string, publishId: number): Promise<Publish | undefined> {
    await this.proceed();
    return this.#parts.store.find(appid, publishId);
  }

  async list(appid: string, offset: number, limit: number) {
    const { store } = this.#parts;
    await this.proceed();
    const [total, publications] = await Promise.all([
      store.count(appid),
      store.list(appid, offset, limit),
    ]);
    return { total, publications };
  }

  /** Undefined for one of which nothing is left. */
  async publication(appid: string, articleId: string): Promise<Publication | undefined> {
    const found = await this.#parts.store.publication(appid, articleId);
    return found && found.deleted.length < found.articles.length ? found : undefined;
  }

  /** The publication that an article's address names, and which of its articles, from zero. */
  async atAddress(query: URLSearchParams): Promise<[Publication, number] | undefined> {
    const appid = Buffer.from(query.get("__biz") ?? "", "base64url").toString();
    const [mid, index] = [query.get("mid") ?? "", query.get("idx") ?? "1"];
    if (!/^[\w-]{1,64}$/.test(appid) || !/^\d{1,10}$/.test(mid) || !/^\d{1,3}$/.test(index)) {
      return undefined;
    }
    if (query.get("sn") !== addressSignature(appid, Number(mid), Number(index))) return undefined;
    const found = await this.#parts.store.publicationByMid(appid, Number(mid));
    const isThere = found && !found.deleted.includes(Number(index));
    return isThere ? [found, Number(index) - 1] : undefined;
  }

  /** Deletes one article, counted from one, or all of them. */
  async remove(appid: string, articleId: string, index: number): Promise<void> {
    const { store, clock } = this.#parts;
    for (;;) {
      const found = await this.publication(appid, articleId);
      if (found === undefined || found.isSent) throw new PlatformError(53600, "article_id");
      const all = found.articles.map((_, i) => i + 1);
      const gone = index === 0 ? all : [...new Set([...found.deleted, index])];
      if (!gone.every((each) => all.includes(each))) throw new PlatformError(40114, "index");
      // Where another was deleted meanwhile, both are.
      if (await store.setDeleted(found, gone, clock())) return;
    }
  }

  /** Ends what is due, and tells those who want to know. */
  async proceed(): Promise<void> {
    const { store, accounts, clock, tasks } = this.#parts;
    for (const publish of await store.due(clock())) {
      const account = await accounts.find(publish.appid);
      const pushes = account?.callback ? PUSHES : 0;
      await store.finish(publish.publishId, newArticleId(), pushes, clock());
    }
    // A server that is slow to be told must not keep the caller waiting.
    tasks.run(this.#push());
  }

  async #push(): Promise<void> {
    const { store, accounts, clock, log, loopbackCallbacks } = this.#parts;
    for (;;) {
      const nowMs = clock();
      const publish = await store.takePush(nowMs, nowMs + PUSH_AGAIN_MS);
      if (publish === undefined) return;
      const { appid, publishId } = publish;
      try {
        const known = await accounts.credentials(appid);
        if (known) await pushPublish(publish, known, loopbackCallbacks, nowMs);
        await store.pushed(publishId);
      } catch (thrown) {
        log.warn("platform_callback_failed", { appid, publishId, thrown });
      }
    }
  }

  #proceedIn(ms: number): void {
    const { tasks } = this.#parts;
    // A timer may ring a moment before the clock says so.
    const timer = setTimeout(() => tasks.run(this.proceed()), ms + 5);
    timer.unref();
  }
}
