import { latestOf } from "../../lib/clock.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** How long each of these lasts at most, as its room has it: a gate loads none of them. */
const CARD_REST_MS = 3_600_000;
const DRAFT_LEASE_MS = 60_000;
const PUBLISH_TOLD_AGAIN_MS = 5_000;
const ORDER_MS = 25 * 3_600_000;

/** What a gate knows of the moment, by which it need not ask for everything. */
interface Moment {
  readonly nowMs: number;
  /** Requests have ended lately, so that balances and budgets have moved. */
  readonly active: boolean;
  /** Something is wrong with a vendor. */
  readonly vendorDown: boolean;
  /** A channel that costs money has come into force since the office was last asked to look. */
  readonly realChannels: boolean;
  /** How long an open checkout is left alone. */
  readonly checkoutRestMs: number;
  /** How far ahead a notice that was tried may be put off. */
  readonly noticeWaitMs: number;
}

/**
 * In the words of the rooms whose tables these are; a test has each of them do its work and asks again. What lies further
 * ahead than it could was put there before a clock was set back.
 */
const OWED = `
  select 1 from notices where state = 'queued' and (attempts = 0 or next_at <= $1 or next_at > $2)
  union all select 1 from payment_orders where confirmed_at is not null and paid_at is null
  union all select 1 from payment_orders where status = 'created' and automatic = 1
  union all select 1 from payment_orders
    where status = 'created' and provider = 'stripe' and reference is not null
      and (coalesce(looked_at, created_at) < $3 or coalesce(looked_at, created_at) > $4)
  union all select 1 from payment_orders
    where status = 'created' and (provider <> 'stripe' or reference is null) and created_at < $5
  union all select 1 from payment_refunds where status in ('reserved', 'debited', 'returning')
  union all select 1 from payment_disputes where status in ('taking', 'returning')
  union all select 1 from codes where redeemed_at is not null and credited = 0
  union all select 1 from auto_topups
    where enabled = 1 and method is not null and rests_until > 0
      and (rests_until <= $1 or rests_until > $6)
  union all select 1 from test_reversals where status = 'open'
  union all select 1 from draft_pushes
    where state in ('planned', 'uploading', 'sending') and (lease_until <= $1 or lease_until > $7)
  union all select 1 from platform_publishes
    where status = 1 and (due_at <= $1 or due_at > $1 + 2 * (due_at - submitted_at))
  union all select 1 from platform_publishes
    where pushes_left > 0 and (push_at <= $1 or push_at > $8)
  limit 1`;

/** Somebody who would hear of an alert. */
const LISTENERS = `
  select 1 from members
  union all select 1 from alert_settings where webhook_url is not null and webhook_enabled = 1
  limit 1`;

const TOPUPS = `
  select 1 from auto_topups
  where enabled = 1 and method is not null and (rests_until <= $1 or rests_until > $2) limit 1`;

const TEST_ORDERS = "select 1 from payment_orders where provider = 'test' limit 1";

/** Whether there is anything to do that nobody has asked for: it is looked at where no room is loaded. */
export async function officeHasWork(sql: Sql, moment: Moment): Promise<boolean> {
  const { nowMs, active, vendorDown, realChannels, checkoutRestMs, noticeWaitMs } = moment;
  const latestRestMs = latestOf(nowMs, CARD_REST_MS);
  const owed = [
    ...[nowMs, nowMs + noticeWaitMs, nowMs - checkoutRestMs, nowMs + checkoutRestMs],
    ...[nowMs - ORDER_MS, latestRestMs, latestOf(nowMs, DRAFT_LEASE_MS)],
    latestOf(nowMs, PUBLISH_TOLD_AGAIN_MS),
  ];
  const any = async (text: string, ...params: number[]) =>
    (await sql.query(text, params)).length > 0;
  return (
    (await any(OWED, ...owed)) ||
    ((active || vendorDown) && (await any(LISTENERS))) ||
    (active && (await any(TOPUPS, nowMs, latestRestMs))) ||
    (realChannels && (await any(TEST_ORDERS)))
  );
}
