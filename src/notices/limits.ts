/** The limits of the process that concern notices, as the settings name them. */
export interface NoticeLimits {
  /** How often the rules look. */
  readonly alert_look_ms: number;
  /** A key that was used so long ago may still have a request that is settled now. */
  readonly alert_activity_ms: number;
  /** Below this an hour's spend is nothing to write about, whatever is usual. */
  readonly alert_spend_floor_cents: number;
  /** In dollars: more input loss than this on a UTC day, of an account or a channel, is told to operators. */
  readonly loss_account_day: number;
  /** How often the outbox is looked through, and how much is sent at once. */
  readonly notice_tick_ms: number;
  readonly notice_batch_max: number;
  /** A process that took a notice and has not told its end for so long counts as dead. */
  readonly notice_lease_ms: number;
  readonly notice_attempts_max: number;
  /** The wait before the second attempt; it doubles with each, up to the most. */
  readonly notice_retry_ms: number;
  readonly notice_retry_ms_max: number;
  /** How long notices that are done with are kept. */
  readonly notice_keep_ms: number;
  readonly mail_send_ms: number;
  readonly webhook_timeout_ms: number;
  /** A webhook that failed so often in a row is switched off. */
  readonly webhook_failures_max: number;
}
