import { type Clock, steadyClock } from "../lib/clock.ts";
import { retryWrite } from "../lib/retry.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Mailer } from "./mailer.ts";
import type { NoticeWriter } from "./notice-writer.ts";
import type { Occurrence } from "./occurrence.ts";
import { errorText } from "./outbox.ts";
import {
  type AlertSettings,
  DEFAULT_SETTINGS,
  hostOf,
  type Replaced,
  type WebhookSettings,
} from "./settings.ts";
import type { NoticesTable } from "./tables/notices.ts";
import type { Webhooks } from "./webhooks.ts";

const SECRET_BYTES = 32;
/** Tests go to other people's addresses, so they are not for hammering. */
const TEST_GAP_MS = 10_000;
/** For so long it is tried to put a webhook back. */
const PUT_BACK_MS = 10 * 60_000;

/** What may be changed; what is left out stays. */
export type AlertChanges = {
  readonly [Name in Exclude<keyof AlertSettings, "webhook">]?: AlertSettings[Name] | undefined;
} & {
  /** Null removes it. */
  readonly webhook?: WebhookChanges | null | undefined;
};

/** A new one needs an address, and is on unless it is said otherwise. */
interface WebhookChanges {
  readonly url?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly newSecret?: boolean | undefined;
  /** Whether an operator says so. */
  readonly byOperator?: boolean | undefined;
}

export interface ChangedAlerts {
  readonly before: AlertSettings;
  readonly settings: AlertSettings;
  /** Of the webhook, where it is new. It is not shown again. */
  readonly secret: string | undefined;
}

/** `busy`: one was sent a moment ago. `nowhere`: there is nobody to send it to. */
type TestOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly why: "busy" | "nowhere" | "failed"; readonly error: string };

interface AlertsParts {
  readonly store: NoticesTable;
  readonly mailer: Pick<Mailer, "send" | "configured">;
  readonly webhooks: Pick<Webhooks, "call" | "check">;
  readonly vault: Pick<Vault, "seal" | "open">;
  readonly writer: NoticeWriter;
  readonly tasks: Pick<TaskGroup, "run">;
  readonly clock: Clock;
}

/** A change on its way. */
interface Attempt {
  /** Whether somebody waits to be told of it. */
  isAwaited: boolean;
  /** What it makes of the webhook, and what stood in its place; nothing where it is not about that. */
  replaced?: Replaced;
  /** Of the webhook, where that is new. */
  secret?: string | undefined;
}

function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${Buffer.from(bytes).toString("base64url")}`;
}

/** What an account hears of, and where. */
export class Alerts {
  readonly #parts: AlertsParts;

  constructor(parts: AlertsParts) {
    this.#parts = parts;
  }

  async settings(accountId: string): Promise<AlertSettings> {
    return (await this.#parts.store.settings([accountId])).get(accountId) ?? DEFAULT_SETTINGS;
  }

  /**
   * Throws a `WebhookAddressError` for an address that is not called. `note` is a part of it: where that fails, or what was
   * changed is not heard, nobody is told the secret of a new webhook, and what it was before is put back.
   */
  async change(
    accountId: string,
    changes: AlertChanges,
    note: (changed: ChangedAlerts) => Promise<void> = async () => {},
  ): Promise<ChangedAlerts> {
    const attempt: Attempt = { isAwaited: true };
    try {
      const changed = await this.#write(accountId, changes, attempt);
      await note(changed);
      return changed;
    } catch (thrown) {
      attempt.isAwaited = false;
      this.#putBack(accountId, attempt);
      throw thrown;
    }
  }

  async #write(
    accountId: string,
    { webhook: wanted, ...rest }: AlertChanges,
    attempt: Attempt,
  ): Promise<ChangedAlerts> {
    const { store, clock } = this.#parts;
    const chosen = Object.entries(rest).filter(([, value]) => value !== undefined);
    const changed = await store.changeSettings(accountId, clock(), (before = DEFAULT_SETTINGS) => {
      // Whoever has been told that it failed does not find it done later.
      if (!attempt.isAwaited) throw new Error("nobody waits for this change any more");
      const { webhook, secret } = this.#webhook(before.webhook, wanted);
      attempt.secret = secret;
      if (wanted !== undefined) attempt.replaced = { webhook, before: before.webhook };
      return { ...before, ...Object.fromEntries(chosen), webhook };
    });
    const { before = DEFAULT_SETTINGS, settings } = changed;
    return { before, settings, secret: attempt.secret };
  }

  /** Beside the answer: the database may be away just now. */
  #putBack(accountId: string, { replaced }: Attempt): void {
    if (!replaced) return;
    const { store, tasks, clock } = this.#parts;
    const putBack = () => store.putBackWebhook(accountId, replaced, clock());
    tasks.run(retryWrite(putBack, steadyClock, steadyClock() + PUT_BACK_MS));
  }

  #webhook(
    before: WebhookSettings | null,
    wanted: AlertChanges["webhook"],
  ): { webhook: WebhookSettings | null; secret: string | undefined } {
    if (wanted === undefined) return { webhook: before, secret: undefined };
    if (wanted === null) return { webhook: null, secret: undefined };
    const {
      newSecret = false,
      url = before?.url ?? "",
      enabled = before?.enabled ?? true,
      byOperator = false,
    } = wanted;
    this.#parts.webhooks.check(url);
    // Another receiver must not learn the secret of the one before it.
    const kept = before !== null && !newSecret && hostOf(before) === hostOf({ url });
    const secret = kept ? undefined : newWebhookSecret();
    const sealedSecret = kept ? before.sealedSecret : this.#parts.vault.seal(secret ?? "");
    // What failed is of no account any more at another address, or once somebody says whether it is on.
    const isFresh = before === null || before.url !== url || wanted.enabled !== undefined;
    const { failures, lastError } = isFresh ? { failures: 0, lastError: null } : before;
    return { webhook: { url, sealedSecret, enabled, byOperator, failures, lastError }, secret };
  }

  /** Writes down what other rooms have to tell the account, to be sent where it wants to hear it. */
  async tell(accountId: string, occurrence: Occurrence): Promise<void> {
    const { store, writer } = this.#parts;
    const settings = await this.settings(accountId);
    const notices = await writer.write(accountId, occurrence, settings);
    await store.add(notices, { accountId, ...writer.reportedAlert(occurrence) });
  }

  /** Sends a test at once, so that whoever asks can be told how it went. */
  async test(accountId: string, channel: "email" | "webhook"): Promise<TestOutcome> {
    const { store, writer, clock } = this.#parts;
    const kept = (await this.settings(accountId)).webhook;
    // One that is switched off may be tried before it is switched on again.
    const webhook = channel === "webhook" && kept !== null ? { ...kept, enabled: true } : null;
    const asked = { email: channel === "email", webhook };
    const notices = await writer.write(accountId, { kind: "test" }, asked);
    if (notices.length === 0) {
      const error = channel === "email" ? "The account has no owner." : "There is no webhook.";
      return { sent: false, why: "nowhere", error };
    }
    if (!(await store.takeTest(accountId, clock(), TEST_GAP_MS))) {
      return { sent: false, why: "busy", error: "A test was sent a moment ago; wait a little." };
    }
    try {
      for (const { id, address, subject, text, html, link } of notices) {
        if (webhook) await this.#callWebhook(webhook, id, text);
        else await this.#parts.mailer.send({ id, to: address, subject, text, html, link });
      }
      if (webhook || this.#parts.mailer.configured) return { sent: true };
      const error = "No mail server is set up; the mail was written to the log instead.";
      return { sent: false, why: "failed", error };
    } catch (thrown) {
      return { sent: false, why: "failed", error: errorText(thrown) };
    }
  }

  #callWebhook({ url, sealedSecret }: WebhookSettings, id: string, body: string): Promise<void> {
    const secret = this.#parts.vault.open(sealedSecret);
    return this.#parts.webhooks.call({ url, secret, id, body });
  }
}
