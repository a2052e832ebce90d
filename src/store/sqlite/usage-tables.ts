import {
  CHANNEL_DAY_COLUMNS,
  CHANNEL_DAYS_OF_RECEIPTS_SQL,
  listedChannelSums,
} from "../reads/channel-days.ts";
import { listed } from "../reads/usage-sums.ts";

const SUMS = listed((name) => name);
const SUM_CELLS = listed((name) => `${name} integer not null`);
const ADDED = listed((name) => `new.${name}`);
const RAISED = listed((name) => `${name} = ${name} + new.${name} - old.${name}`);
const UPON_CONFLICT = listed((name) => `${name} = ${name} + excluded.${name}`);

/**
 * What the pages of usage read. Hours of keys and models lie in the order of time, so that a page
 * reads its own part of an account and no more. Their sums by account, and by day, are kept by the
 * database itself: nobody can write one without the other. Lists of requests are filtered in the
 * index, without a look at the rows. Operators read what channels took by the day, and the few
 * receipts that cost more than was held, which have an index to themselves.
 */
export const USAGE_TABLES = `
  drop index receipts_of_account;
  create index receipts_of_account on receipts (account_id, id, key_id, model, status);

  alter table rollups rename to rollups_3;
  create table rollups (
    account_id text not null,
    hour integer not null,
    key_id text not null,
    model text not null,
    ${SUM_CELLS},
    primary key (account_id, hour, key_id, model)
  ) strict, without rowid;
  insert into rollups (account_id, hour, key_id, model, ${SUMS})
    select account_id, hour, key_id, model, ${SUMS} from rollups_3
    order by account_id, hour, key_id, model;
  drop table rollups_3;

  create table usage_hours (
    account_id text not null,
    hour integer not null,
    ${SUM_CELLS},
    primary key (account_id, hour)
  ) strict, without rowid;
  insert into usage_hours (account_id, hour, ${SUMS})
    select account_id, hour, ${listed((name) => `sum(${name})`)} from rollups
    group by account_id, hour;

  create table usage_days (
    account_id text not null,
    day integer not null,
    key_id text not null,
    model text not null,
    ${SUM_CELLS},
    primary key (account_id, day, key_id, model)
  ) strict, without rowid;
  insert into usage_days (account_id, day, key_id, model, ${SUMS})
    select account_id, hour / 24, key_id, model, ${listed((name) => `sum(${name})`)} from rollups
    group by account_id, hour / 24, key_id, model;

  create trigger rollup_added after insert on rollups begin
    insert into usage_hours (account_id, hour, ${SUMS})
      values (new.account_id, new.hour, ${ADDED})
      on conflict (account_id, hour) do update set ${UPON_CONFLICT};
    insert into usage_days (account_id, day, key_id, model, ${SUMS})
      values (new.account_id, new.hour / 24, new.key_id, new.model, ${ADDED})
      on conflict (account_id, day, key_id, model) do update set ${UPON_CONFLICT};
  end;
  create trigger rollup_raised after update on rollups begin
    update usage_hours set ${RAISED} where account_id = new.account_id and hour = new.hour;
    update usage_days set ${RAISED} where account_id = new.account_id and day = new.hour / 24
      and key_id = new.key_id and model = new.model;
  end;

  create table channel_days (
    day integer not null,
    channel text not null,
    model text not null,
    price_version text not null,
    ${listedChannelSums((name) => `${name} integer not null`)},
    primary key (day, channel, model, price_version)
  ) strict, without rowid;
  insert into channel_days (${CHANNEL_DAY_COLUMNS.join(", ")}) ${CHANNEL_DAYS_OF_RECEIPTS_SQL};

  create index receipts_beyond_hold on receipts (created_at, id, held, cost) where cost > held;
`;
