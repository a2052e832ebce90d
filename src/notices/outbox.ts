import { type Clock, every, within } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Log } from "../telemetry/log.ts";
import type { NoticeLimits } from "./limits.ts";
import { type Mailer, UndeliverableError } from "./mailer.ts";
import type { ClaimedNotice } from "./notice.ts";
import type { NoticeWriter } from "./notice-writer.ts";
import type { WebhookSettings } from "./settings.ts";
import type { NoticesTable } from "./tables/notices.ts";
import type { Webhooks } from "./webhooks.ts";

const ERROR_CHARS_MAX = 300;
const SWEEP_MS = 3_600_000;

export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.slice(0, ERROR_CHARS_MAX);
}

/** The wait before the attempt after this one. */
function retryDelayMs(
  attempts: number,
  limits: Pick<NoticeLimits, "notice_retry_ms" | "notice_retry_ms_max">,
): number {
  return Math.min(limits.notice_retry_ms * 2 ** (attempts - 1), limits.notice_retry_ms_max);
}

interface OutboxParts {
  readonly store: NoticesTable;
  readonly mailer: Pick<Mailer, "send">;
  readonly webhooks: Pick<Webhooks, "call">;
  readonly vault: Pick<Vault, "open">;
  readonly writer: NoticeWriter;
  readonly limits: NoticeLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sends what was written down before. A notice is taken for the time of a lease, so that of several
 * processes one sends it; if that one dies, another does, so it may arrive twice but not never.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  #running: Promise<void> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  start(tasks: TaskGroup): () => void {
    // What is due may be why this process was started.
    tasks.run(this.run());
    const stops = [
      every(this.#parts.limits.notice_tick_ms, () => tasks.run(this.run())),
      every(SWEEP_MS, () => tasks.run(this.sweep())),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Sends all that is due; one round at a time. */
  run(): Promise<void> {
    this.#running ??= this.#rounds().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async sweep(): Promise<void> {
    const { store, limits, clock } = this.#parts;
    await store.sweep(clock() - limits.notice_keep_ms);
  }

  async #rounds(): Promise<void> {
    const { store, limits, clock } = this.#parts;
    for (;;) {
      const claim = newId("clm_");
      const notices = await store.claim(claim, clock(), limits);
      await Promise.all(notices.map((notice) => this.#handle(notice, claim)));
      if (notices.length < limits.notice_batch_max) return;
    }
  }

  async #handle(notice: ClaimedNotice, claim: string): Promise<void> {
    const { store, limits, clock } = this.#parts;
    const { notice_lease_ms: leaseMs } = limits;
    try {
      // After its lease it is anybody's: a receiver that never ends must not hold up the others.
      await within(this.#deliver(notice), leaseMs, `it was not sent within ${leaseMs} ms`);
    } catch (thrown) {
      return this.#failed(notice, claim, thrown);
    }
    await store.sent(notice.id, claim, clock());
  }

  #deliver(notice: ClaimedNotice): Promise<void> {
    if (notice.channel === "webhook") return this.#callWebhook(notice);
    const { id, address, subject, text, html, link } = notice;
    return this.#parts.mailer.send({ id, to: address, subject, text, html, link });
  }

  async #callWebhook(notice: ClaimedNotice): Promise<void> {
    const { store, webhooks, vault } = this.#parts;
    const { accountId, id, text } = notice;
    const settings = (await store.settings([accountId])).get(accountId);
    if (!settings?.webhook?.enabled) {
      throw new UndeliverableError("the account has no webhook any more");
    }
    const { webhook, email: mailed } = settings;
    const { url, sealedSecret, failures } = webhook;
    const secret = vault.open(sealedSecret);
    try {
      await webhooks.call({ url, secret, id, body: text });
    } catch (thrown) {
      await this.#countFailure(accountId, webhook, { error: errorText(thrown), mailed });
      throw thrown;
    }
    if (failures > 0) await store.webhookWorked(accountId);
  }

  async #countFailure(
    accountId: string,
    { url }: Pick<WebhookSettings, "url">,
    { error, mailed }: { readonly error: string; readonly mailed: boolean },
  ): Promise<void> {
    const { store, writer, limits, log } = this.#parts;
    const occurrence = { kind: "webhook_disabled", url: new URL(url).host, error, mailed } as const;
    // By mail even where alerts are not mailed: the way they did take is gone.
    const notices = await writer.write(accountId, occurrence, { email: true, webhook: null });
    const alert = { accountId, ...writer.reportedAlert(occurrence) };
    const failure = { error, max: limits.webhook_failures_max, notices, alert };
    if (await store.webhookFailed(accountId, { url }, failure))
      log.warn("webhook_disabled", { account: accountId, error });
  }

  async #failed(notice: ClaimedNotice, claim: string, thrown: unknown): Promise<void> {
    const { store, limits, clock, log } = this.#parts;
    const { id, accountId, kind, channel, attempts } = notice;
    const error = errorText(thrown);
    const over = attempts >= limits.notice_attempts_max || thrown instanceof UndeliverableError;
    const fields = { notice: id, account: accountId, kind, channel, attempts, error };
    if (over) {
      log.error("notice_given_up", fields);
      await store.giveUp(id, claim, clock(), error);
    } else {
      log.warn("notice_not_sent", fields);
      await store.retry(id, claim, clock() + retryDelayMs(attempts, limits), error);
    }
  }
}
