import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { LEASE_MS } from "../../drafts/push/leases.ts";
import { latestOf } from "../../lib/clock.ts";
import { CARD_REST_MS } from "../../payments/auto-topup.ts";
import { ORDER_MS_MAX } from "../../payments/orders.ts";
import { PUSH_AGAIN_MS } from "../../platform/publishing/publishing.ts";
import { ROOMS } from "../migrations/rooms.ts";
import { officeHasWork } from "./office-work.ts";

const NOW = 1_800_000_000_000;
const REST_MS = 300_000;
const NOTICE_WAIT_MS = 900_000;
const QUIET = {
  ...{ nowMs: NOW, active: false, vendorDown: false, realChannels: false },
  ...{ checkoutRestMs: REST_MS, noticeWaitMs: NOTICE_WAIT_MS },
};
const ORDER = `insert into payment_orders
  (id, account_id, provider, automatic, amount_nano, currency, minor, status, refunded_nano, created_at`;

const PUBLISH = `insert into platform_publishes (publish_id, appid, media_id, origin, outcome, failed,
  status, articles, submitted_at, due_at, pushes_left, push_at) values`;
const PUSH = `insert into draft_pushes (id, draft_id, account_id, public_account_id, box, kind, version, sends,
  created_at, updated_at, state, owner, lease_until) values ('p', 'd', 'a', 'w', 'b', 'add', 1, 0, 1, 1`;
const DRAFT = `insert into drafts (id, account_id, public_account_id, articles, version, status, writing,
  created_at, updated_at) values ('d', 'a', 'w', '[]', 1, 'pushing', '{}', 1, 1)`;
const DAY_MS = 24 * 3_600_000;
/** As late as one may lie ahead that is never set further, by what its own room says, and a moment too late. */
const latest = (mostMs: number) => latestOf(NOW, mostMs);
const tooLate = (mostMs: number) => latest(mostMs) + 1;

/** Something that is owed, and how it is when it is not owed any more, or not yet. */
const OWED: readonly (readonly [name: string, made: readonly string[], over: string])[] = [
  [
    "a notice that is due",
    [
      `insert into notices values ('n', 'a', 'test', 'email', 'x', 's', 't', 'h', 'l', 1, 'queued', 0, ${NOW}, null, null)`,
    ],
    `update notices set attempts = 1, next_at = ${NOW + 1}`,
  ],
  [
    "a notice that was written before a clock was set back",
    [
      `insert into notices values ('n', 'a', 'test', 'email', 'x', 's', 't', 'h', 'l', 1, 'queued', 0, ${NOW + 1}, null, null)`,
    ],
    "update notices set attempts = 1",
  ],
  [
    "a notice that waits for longer than one could",
    [
      `insert into notices values ('n', 'a', 'test', 'email', 'x', 's', 't', 'h', 'l', 1, 'queued', 1, ${NOW + NOTICE_WAIT_MS + 1}, null, null)`,
    ],
    `update notices set next_at = ${NOW + NOTICE_WAIT_MS}`,
  ],
  [
    "a payment that is not credited",
    [
      `${ORDER}, confirmed_at) values ('o', 'a', 'stripe', 0, 1, 'usd', 1, 'created', 0, ${NOW}, 1)`,
    ],
    "update payment_orders set paid_at = 2, status = 'paid'",
  ],
  [
    "a charge of a card that may have been made",
    [`${ORDER}) values ('o', 'a', 'stripe', 1, 1, 'usd', 1, 'created', 0, ${NOW})`],
    "update payment_orders set status = 'failed'",
  ],
  [
    "a checkout that nobody has looked at for long",
    [
      `${ORDER}, reference) values ('o', 'a', 'stripe', 0, 1, 'usd', 1, 'created', 0, ${NOW - REST_MS - 1}, 'cs')`,
    ],
    `update payment_orders set looked_at = ${NOW}`,
  ],
  [
    "a checkout that was looked at before a clock was set back",
    [
      `${ORDER}, reference, looked_at) values ('o', 'a', 'stripe', 0, 1, 'usd', 1, 'created', 0, ${NOW}, 'cs', ${NOW + REST_MS + 1})`,
    ],
    `update payment_orders set looked_at = ${NOW}`,
  ],
  [
    "an order that nobody is asked about, once its time is over",
    [
      `${ORDER}) values ('o', 'a', 'epay', 0, 1, 'cny', 1, 'created', 0, ${NOW - ORDER_MS_MAX - 1})`,
    ],
    `update payment_orders set created_at = ${NOW - ORDER_MS_MAX}`,
  ],
  [
    "an order that never came to its checkout, once its time is over",
    [
      `${ORDER}) values ('o', 'a', 'stripe', 0, 1, 'usd', 1, 'created', 0, ${NOW - ORDER_MS_MAX - 1})`,
    ],
    "update payment_orders set status = 'expired'",
  ],
  [
    "a refund on its way",
    [
      `${ORDER}) values ('o', 'a', 'stripe', 0, 1, 'usd', 1, 'paid', 0, 1)`,
      "insert into payment_refunds (id, account_id, order_id, payment, amount_nano, minor, status, created_at) values ('r', 'a', 'o', 'p', 1, 1, 'debited', 1)",
    ],
    "update payment_refunds set status = 'done'",
  ],
  [
    "a code that was redeemed and not credited",
    [
      "insert into code_batches values ('b', 1, '', null, 1, 1)",
      "insert into codes (id, batch_id, hash, last_four, amount_nano, redeemed_at, credited) values ('c', 'b', 'h', 'x', 1, 1, 0)",
    ],
    "update codes set credited = 1",
  ],
  [
    "a publication whose time has come",
    [`${PUBLISH} (1, 'a', 'm', 'o', 0, '[]', 1, 1, 1, ${NOW}, 0, 0)`],
    `update platform_publishes set due_at = ${NOW + 1}`,
  ],
  [
    "a publication that was submitted before a clock was set back",
    [
      `${PUBLISH} (1, 'a', 'm', 'o', 0, '[]', 1, 1, ${NOW + DAY_MS}, ${NOW + DAY_MS + 2_000}, 0, 0)`,
    ],
    `update platform_publishes set submitted_at = ${NOW}, due_at = ${NOW + 2_000}`,
  ],
  [
    "somebody who was to be told of one before a clock was set back",
    [`${PUBLISH} (1, 'a', 'm', 'o', 0, '[]', 0, 1, 1, 1, 2, ${tooLate(PUSH_AGAIN_MS)})`],
    `update platform_publishes set push_at = ${latest(PUSH_AGAIN_MS)}`,
  ],
  [
    "a push that a dead process has left",
    [DRAFT, `${PUSH}, 'sending', 'o', ${NOW})`],
    `update draft_pushes set lease_until = ${NOW + LEASE_MS}`,
  ],
  [
    "a push that was left before a clock was set back",
    [DRAFT, `${PUSH}, 'sending', 'o', ${tooLate(LEASE_MS)})`],
    `update draft_pushes set lease_until = ${latest(LEASE_MS)}`,
  ],
  [
    "a rest of a card that lasts for longer than one could",
    [
      `insert into auto_topups values ('a', 1, 1, 1, 1, 'cus', 'pm', null, 0, ${tooLate(CARD_REST_MS)}, null)`,
    ],
    `update auto_topups set rests_until = ${latest(CARD_REST_MS)}`,
  ],
];

describe.each(ENGINES)("whether the office has work, on $name", (engine) => {
  const tables = perTest((parts) => tablesOn(parts, engine, ...ROOMS));
  const isThere = (moment: Partial<typeof QUIET> = {}) =>
    officeHasWork(tables.sql, { ...QUIET, ...moment });

  test("there is none on an installation that nobody has set anything on", async () => {
    expect(await isThere()).toBe(false);
    expect(await isThere({ active: true, vendorDown: true, realChannels: true })).toBe(false);
  });

  test.each(OWED)("%s is, until it is done", async (_name, made, over) => {
    for (const text of made) await tables.sql.query(text);
    expect(await isThere()).toBe(true);
    await tables.sql.query(over);
    expect(await isThere()).toBe(false);
  });

  test("alerts are while requests end or a vendor is down, where somebody would hear of it", async () => {
    await tables.sql.query(
      `insert into alert_settings values ('a', 1, null, 1, 1, 1, 1, 0, 'https://x.test', 's', 1, 0, null, 1, 0)`,
    );
    expect(await isThere()).toBe(false);
    expect(await isThere({ active: true })).toBe(true);
    expect(await isThere({ vendorDown: true })).toBe(true);
    await tables.sql.query("update alert_settings set webhook_enabled = 0");
    expect(await isThere({ active: true, vendorDown: true })).toBe(false);
  });

  test("automatic top-up is while requests end and its card does not rest", async () => {
    await tables.sql.query(
      "insert into auto_topups values ('a', 1, 1, 1, 1, 'cus', 'pm', null, 0, 0, null)",
    );
    expect(await isThere()).toBe(false);
    expect(await isThere({ active: true })).toBe(true);
    await tables.sql.query(`update auto_topups set rests_until = ${NOW + 1}`);
    expect(await isThere({ active: true })).toBe(false);
  });

  test("automatic top-up is when a rest is over, though no request ends any more", async () => {
    await tables.sql.query(
      `insert into auto_topups values ('a', 1, 1, 1, 1, 'cus', 'pm', null, 0, ${NOW}, null)`,
    );
    expect(await isThere()).toBe(true);
    for (const over of [`rests_until = ${NOW + 1}`, "rests_until = 0"]) {
      await tables.sql.query(`update auto_topups set ${over}`);
      expect(await isThere()).toBe(false);
    }
    await tables.sql.query(`update auto_topups set rests_until = ${NOW}, enabled = 0`);
    expect(await isThere()).toBe(false);
  });

  test("test money is once a channel costs real money", async () => {
    await tables.sql.query(`${ORDER}) values ('o', 'a', 'test', 0, 1, 'usd', 1, 'paid', 0, 1)`);
    expect(await isThere()).toBe(false);
    expect(await isThere({ realChannels: true })).toBe(true);
  });
});
