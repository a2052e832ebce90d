import type { RoomTables } from "../../lib/sql/sql.ts";

/** What operators set while the gateway runs. */
export const OPERATOR_TABLES: RoomTables = {
  room: "operator",
  least: 1,
  versions: [
    `
    create table operator_revision (
      id integer primary key,
      revision bigint not null
    );
    insert into operator_revision (id, revision) values (1, 1);
    create table operator_channels (
      id text primary key,
      form text not null,
      secrets text not null,
      revived_at bigint not null,
      created_at bigint not null,
      changed_at bigint not null
    );
    create table operator_channel_switches (
      channel_id text primary key,
      switched_off integer not null,
      revived_at bigint not null
    );
    create table operator_models (
      id text primary key,
      definition text not null,
      created_at bigint not null
    );
    create table operator_prices (
      id text primary key,
      model_id text not null,
      effective_from bigint not null,
      price text not null,
      created_at bigint not null,
      created_by text not null
    );
    create unique index operator_prices_moment on operator_prices (model_id, effective_from);
    create table operator_settings (
      name text primary key,
      value text not null
    );
    `,
    `create table operator_channel_health (
       channel_id text primary key,
       kept text not null,
       kept_at bigint not null
     );`,
  ],
};
