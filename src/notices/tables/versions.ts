import type { RoomTables } from "../../lib/sql/sql.ts";

/** What accounts want to hear of, what was told already, and what is still to be sent. */
export const NOTICES_TABLES: RoomTables = {
  room: "notices",
  least: 1,
  versions: [
    `create table alert_settings (
       account_id text primary key,
       low_balance integer not null,
       low_balance_threshold bigint,
       budgets integer not null,
       spend_spike integer not null,
       model_deprecation integer not null,
       vendor_down integer not null,
       email integer not null,
       webhook_url text,
       webhook_secret text,
       webhook_enabled integer not null,
       webhook_failures integer not null,
       webhook_error text,
       updated_at bigint not null
     );
     create table alert_tests (
       account_id text primary key,
       tested_at bigint not null
     );
     create table alert_turns (
       name text primary key,
       looked_at bigint not null,
       lease_until bigint not null
     );
     create table alert_marks (
       account_id text not null,
       rule text not null,
       subject text not null,
       mark text not null,
       seen_at bigint not null,
       primary key (account_id, rule, subject)
     );
     create table notices (
       id text primary key,
       account_id text not null,
       kind text not null,
       channel text not null,
       address text not null,
       subject text not null,
       body_text text not null,
       body_html text not null,
       link text not null,
       created_at bigint not null,
       state text not null,
       attempts integer not null,
       next_at bigint not null,
       claim text,
       error text
     );
     create index notices_by_state on notices (state, next_at);`,
    // Of webhooks of before nobody knows whose they are.
    `alter table alert_settings add column webhook_by_operator integer not null default 0;`,
    `create table alert_history (
       id text primary key,
       account_id text not null,
       kind text not null,
       rule text not null,
       subject text not null,
       title text not null,
       title_zh text not null,
       told_at bigint not null,
       ended_at bigint
     );
     create index alert_history_by_subject on alert_history (account_id, rule, subject);
     create table alert_notices (
       notice_id text primary key,
       alert_id text not null
     );
     create index alert_notices_by_alert on alert_notices (alert_id);`,
  ],
};
