import {
  CHANNEL_DAY_COLUMNS,
  CHANNEL_DAYS_OF_RECEIPTS_SQL,
  listedChannelSums,
} from "../reads/channel-days.ts";
import { listed } from "../reads/usage-sums.ts";

const SUMS = listed((name) => name);
const SUM_CELLS = listed((name) => `${name} bigint not null`);
const TOTALS = listed((name) => `sum(${name})`);
const UPON_CONFLICT = listed((name) => `${name} = u.${name} + excluded.${name}`);

/** Adds rows of rollups, or what they have changed by, to both tables of sums, in the order of keys. */
function addUp(changes: string): string {
  return `
    insert into usage_hours as u (account_id, hour, ${SUMS})
      select account_id, hour, ${TOTALS} from ${changes}
      group by account_id, hour order by account_id, hour
      on conflict (account_id, hour) do update set ${UPON_CONFLICT};
    insert into usage_days as u (account_id, day, key_id, model, ${SUMS})
      select account_id, hour / 24, key_id, model, ${TOTALS} from ${changes}
      group by account_id, hour / 24, key_id, model
      order by account_id, hour / 24, key_id, model
      on conflict (account_id, day, key_id, model) do update set ${UPON_CONFLICT};
    return null;`;
}

const CHANGES = `(
    select account_id, hour, key_id, model, ${SUMS} from changed
    union all
    select account_id, hour, key_id, model, ${listed((name) => `-${name}`)} from before
  ) changes`;

/** Every table of money. Those of the console are made elsewhere and never joined with them. */
const TABLES = [
  ...["accounts", "keys", "scopes", "budgets", "holds", "entries", "receipts", "rollups"],
  ...["rate_seconds", "owners", "responses", "response_items"],
  ...["usage_hours", "usage_days", "channel_days"],
];

/**
 * Ids sort by their bytes, which is by their time. A language may sort otherwise: in Czech `ch` is a
 * letter that follows `h`, in Estonian `z` comes before `t`.
 */
const SORTED_BY_BYTES = `
  do $body$
  declare cell record;
  begin
    for cell in select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text'
        and table_name in (${TABLES.map((name) => `'${name}'`).join(", ")})
    loop
      execute format('alter table %I alter column %I type text collate "C"',
        cell.table_name, cell.column_name);
    end loop;
  end $body$;`;

/**
 * What the pages of usage read. Sums by account, and by day, are kept by the database itself: nobody
 * can write an hour of a key without them. Lists of requests are filtered in the index, without a
 * look at the rows. Operators read what channels took by the day, added up by each process for
 * itself, and the few receipts that cost more than was held, which have an index to themselves.
 */
export const USAGE_TABLES = `
  drop index receipts_of_account;
  create index receipts_of_account on receipts (account_id, id, key_id, model, status);

  drop index rollups_of_account;
  alter table rollups drop constraint rollups_pkey;
  alter table rollups add primary key (account_id, hour, key_id, model);

  create table usage_hours (
    account_id text not null,
    hour bigint not null,
    ${SUM_CELLS},
    primary key (account_id, hour)
  );
  insert into usage_hours (account_id, hour, ${SUMS})
    select account_id, hour, ${TOTALS} from rollups group by account_id, hour;

  create table usage_days (
    account_id text not null,
    day bigint not null,
    key_id text not null,
    model text not null,
    ${SUM_CELLS},
    primary key (account_id, day, key_id, model)
  );
  insert into usage_days (account_id, day, key_id, model, ${SUMS})
    select account_id, hour / 24, key_id, model, ${TOTALS} from rollups
    group by account_id, hour / 24, key_id, model;

  create function rollups_added() returns trigger language plpgsql as $body$
  begin ${addUp("changed")}
  end $body$;
  create trigger rollups_added after insert on rollups referencing new table as changed
    for each statement execute function rollups_added();

  create function rollups_raised() returns trigger language plpgsql as $body$
  begin ${addUp(CHANGES)}
  end $body$;
  create trigger rollups_raised after update on rollups
    referencing old table as before new table as changed
    for each statement execute function rollups_raised();

  create table channel_days (
    day bigint not null,
    channel text not null,
    model text not null,
    price_version text not null,
    owner text not null default '',
    ${listedChannelSums((name) => `${name} bigint not null`)},
    primary key (day, channel, model, price_version, owner)
  );
  insert into channel_days (${CHANNEL_DAY_COLUMNS.join(", ")}) ${CHANNEL_DAYS_OF_RECEIPTS_SQL};

  create index receipts_beyond_hold on receipts (created_at, id, held, cost) where cost > held;
  ${SORTED_BY_BYTES}
`;

/** What a row of rollups, as it is or as it was, adds to both tables of sums. */
function addRow(row: "new" | "old", sums: string): string {
  return `
      insert into usage_hours as u (account_id, hour, ${SUMS})
        values (${row}.account_id, ${row}.hour, ${sums})
        on conflict (account_id, hour) do update set ${UPON_CONFLICT};
      insert into usage_days as u (account_id, day, key_id, model, ${SUMS})
        values (${row}.account_id, ${row}.hour / 24, ${row}.key_id, ${row}.model, ${sums})
        on conflict (account_id, day, key_id, model) do update set ${UPON_CONFLICT};`;
}

const NEW = listed((name) => `new.${name}`);
const TAKEN_BACK = listed((name) => `-old.${name}`);
const RAISED_BY = listed((name) => `new.${name} - old.${name}`);

/**
 * The same row by row. A batch has a handful of them, of accounts that it has locked, and to gather them in tables for a
 * trigger of the whole statement took longer than all else that it wrote.
 */
export const USAGE_BY_ROWS = `
  create function rollup_added() returns trigger language plpgsql as $body$
  begin ${addRow("new", NEW)}
    return null;
  end $body$;
  create function rollup_raised() returns trigger language plpgsql as $body$
  begin
    if (new.account_id, new.hour, new.key_id, new.model)
        = (old.account_id, old.hour, old.key_id, old.model) then ${addRow("new", RAISED_BY)}
    else ${addRow("old", TAKEN_BACK)} ${addRow("new", NEW)}
    end if;
    return null;
  end $body$;
  -- In the places of those of before, which nobody has to stop reading for. Older programs write rows of rollups as ever.
  create or replace trigger rollups_added after insert on rollups for each row
    execute function rollup_added();
  -- The same, which older programs do not notice.
  create or replace trigger rollups_raised after update on rollups for each row
    execute function rollup_raised();
  -- Only those triggers called it: older programs do not.
  drop function rollups_added();
  -- Only those triggers called it: older programs do not.
  drop function rollups_raised();
`;
