import type { AlertMark } from "./rules.ts";
import type { AlertSettings, WebhookSettings } from "./settings.ts";

/** One message to one address, as it will be sent. */
export interface NewNotice {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly channel: "email" | "webhook";
  /** An e-mail address; empty for a webhook, whose address is looked up when it is called. */
  readonly address: string;
  readonly subject: string;
  /** The body of a webhook, or the plain part of a mail. */
  readonly text: string;
  readonly html: string;
  /** Where the reader can do something about it. */
  readonly link: string;
  readonly createdAtMs: number;
}

export interface ClaimedNotice extends NewNotice {
  /** With this one counted. */
  readonly attempts: number;
}

export interface NoticeStore {
  /** What the accounts chose; those that chose nothing are left out. */
  settings(accountIds: readonly string[]): Promise<ReadonlyMap<string, AlertSettings>>;
  saveSettings(accountId: string, settings: AlertSettings, nowMs: number): Promise<void>;
  /** Whether a test may be sent: only one of two that come within the gap. */
  takeTest(accountId: string, nowMs: number, gapMs: number): Promise<boolean>;
  webhookWorked(accountId: string): Promise<void>;
  /** Counts a failure; true when it is the one that switched the webhook off. */
  webhookFailed(
    accountId: string,
    webhook: Pick<WebhookSettings, "url">,
    error: string,
    failuresMax: number,
  ): Promise<boolean>;

  /**
   * The right to look, until the lease ends, for one process of all: when the last look was that
   * came to its end, or undefined for those who came too late.
   */
  takeTurn(name: string, nowMs: number, leaseUntilMs: number): Promise<number | undefined>;
  endTurn(name: string, lookedAtMs: number): Promise<void>;

  marks(accountIds: readonly string[]): Promise<readonly AlertMark[]>;
  /** Together, and only if nobody did so before: false then, and nothing is written. */
  fire(mark: AlertMark, notices: readonly NewNotice[]): Promise<boolean>;
  see(mark: AlertMark): Promise<void>;
  /** Forgets the mark, unless another process has fired or seen it again meanwhile. */
  arm(mark: AlertMark): Promise<void>;

  add(notices: readonly NewNotice[]): Promise<void>;
  /** Due notices that nobody else is sending, until the lease ends. `claim` names this taking. */
  claim(
    claim: string,
    nowMs: number,
    leaseUntilMs: number,
    limit: number,
  ): Promise<readonly ClaimedNotice[]>;
  /** Of a claim that has run out meanwhile nothing is written. */
  sent(id: string, claim: string, nowMs: number): Promise<void>;
  retry(id: string, claim: string, nextAtMs: number, error: string): Promise<void>;
  giveUp(id: string, claim: string, nowMs: number, error: string): Promise<void>;
  /** Removes notices that were done with before then. */
  sweep(beforeMs: number): Promise<void>;
}
