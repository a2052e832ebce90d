import type { RoomTables } from "../../lib/sql/sql.ts";

export const PAYMENTS_TABLES: RoomTables = {
  room: "payments",
  least: 4,
  versions: [
    `
    create table payment_orders (
      id text primary key,
      account_id text not null,
      provider text not null,
      method text,
      automatic integer not null,
      amount_nano bigint not null check (amount_nano > 0),
      currency text not null,
      minor bigint not null check (minor > 0),
      status text not null check (status in ('created', 'paid', 'failed', 'expired', 'refunded')),
      reference text,
      payment text,
      notice text,
      checkout_url text,
      charged_nano bigint,
      refunded_nano bigint not null check (refunded_nano >= 0 and refunded_nano <= amount_nano),
      failure text,
      created_at bigint not null,
      confirmed_at bigint,
      paid_at bigint
    );
    create index payment_orders_of_account on payment_orders (account_id, id);
    create unique index payment_orders_one_payment on payment_orders (provider, payment)
      where payment is not null;
    create unique index payment_orders_one_automatic on payment_orders (account_id)
      where automatic = 1 and status = 'created';
    create index payment_orders_open on payment_orders (created_at) where status = 'created';
    create index payment_orders_owed on payment_orders (confirmed_at)
      where confirmed_at is not null and paid_at is null;
    create index payment_orders_test on payment_orders (account_id) where provider = 'test';

    create table payment_refunds (
      id text primary key,
      account_id text not null,
      order_id text not null references payment_orders (id),
      payment text not null,
      amount_nano bigint not null check (amount_nano > 0),
      minor bigint not null,
      status text not null check (status in ('reserved', 'debited', 'returning', 'done', 'failed')),
      reference text,
      failure text,
      created_at bigint not null
    );
    create index payment_refunds_of_account on payment_refunds (account_id, id);
    create index payment_refunds_of_order on payment_refunds (order_id);
    create index payment_refunds_open on payment_refunds (created_at)
      where status in ('reserved', 'debited', 'returning');

    create table test_reversals (
      id text primary key,
      account_id text not null,
      amount_nano bigint not null check (amount_nano > 0),
      charged_nano bigint not null,
      status text not null check (status in ('open', 'done', 'failed')),
      created_at bigint not null
    );
    create index test_reversals_of_account on test_reversals (account_id, created_at);
    create unique index test_reversals_one_open on test_reversals (account_id)
      where status = 'open';

    create table code_batches (
      id text primary key,
      amount_nano bigint not null check (amount_nano > 0),
      note text not null,
      expires_at bigint,
      created_at bigint not null,
      codes integer not null
    );

    create table codes (
      id text primary key,
      batch_id text not null references code_batches (id),
      hash text not null unique,
      last_four text not null,
      amount_nano bigint not null,
      expires_at bigint,
      redeemed_by text,
      redeemed_at bigint,
      credited integer not null
    );
    create index codes_of_batch on codes (batch_id, id);
    create index codes_owed on codes (redeemed_at) where redeemed_at is not null and credited = 0;

    create table auto_topups (
      account_id text primary key,
      enabled integer not null,
      threshold_nano bigint not null,
      amount_nano bigint not null,
      daily_max_nano bigint not null,
      customer text,
      method text,
      setup text,
      refusals integer not null,
      rests_until bigint not null,
      failure text
    );
    `,
    `
    alter table payment_orders add column looked_at bigint;

    create table payment_disputes (
      id text primary key,
      account_id text not null,
      order_id text not null references payment_orders (id),
      amount_nano bigint not null check (amount_nano > 0),
      taken_nano bigint not null check (taken_nano >= 0 and taken_nano <= amount_nano),
      status text not null check (status in ('taking', 'taken', 'returning', 'returned')),
      created_at bigint not null
    );
    create index payment_disputes_of_order on payment_disputes (order_id);
    create index payment_disputes_open on payment_disputes (created_at)
      where status in ('taking', 'returning');
    `,
    `
    alter table payment_refunds add column kept_nano bigint not null default 0;
    create index codes_redeemed on codes (batch_id) where redeemed_at is not null;
    `,
    // Of codes that were redeemed before, the audit log knows who did it.
    `
    alter table codes add column redeemed_person text;
    alter table codes add column revoked_at bigint;
    create index codes_revoked on codes (batch_id) where revoked_at is not null;
    `,
    // Of refunds that were asked for before, the audit log knows who did it.
    `
    alter table payment_refunds add column asked_by text;
    `,
  ],
};
