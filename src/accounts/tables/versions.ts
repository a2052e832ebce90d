import type { RoomTables } from "../../lib/sql/sql.ts";

/** Who belongs to an account, and who may do what. Identities themselves are in the tables of sign-in. */
export const ACCOUNTS_TABLES: RoomTables = {
  room: "accounts",
  least: 7,
  versions: [
    `create table members (
       account_id text not null,
       user_id text not null,
       role text not null,
       operator integer not null default 0,
       created_at bigint not null,
       primary key (account_id, user_id)
     );
     create index members_by_user on members (user_id);
     create table invitations (
       id text primary key,
       account_id text not null,
       email text not null,
       role text not null,
       operator integer not null default 0,
       hash text not null unique,
       invited_by text not null,
       created_at bigint not null,
       expires_at bigint not null,
       ended_at bigint,
       user_id text
     );
     create index invitations_by_account on invitations (account_id, id);
     create index invitations_by_email on invitations (email);
     create table operator_tokens (
       id text primary key,
       name text not null,
       hash text not null unique,
       last_four text not null,
       created_by text not null,
       created_at bigint not null,
       last_used_at bigint,
       revoked_at bigint
     );
     create table operator_links (
       hash text primary key,
       created_at bigint not null,
       expires_at bigint not null,
       used_at bigint
     );
     create table preferences (
       user_id text primary key,
       language text,
       theme text,
       time_zone text
     );
     create table audit (
       id text primary key,
       created_at bigint not null,
       user_id text,
       actor text not null,
       account_id text,
       action text not null,
       target text not null,
       detail text not null
     );
     create index audit_by_account on audit (account_id, id);`,
    `create table sign_ups (
       user_id text primary key,
       account_id text not null,
       created_at bigint not null
     );`,
    // Keys of before are told from the audit log; those that it does not know were typed at the machine.
    `create table key_makers (
       key_id text primary key,
       user_id text not null
     );
     create index key_makers_by_user on key_makers (user_id);
     insert into key_makers (key_id, user_id)
       select target, min(user_id) from audit
       where action = 'key.create' and user_id is not null group by target;`,
    `create table sign_in_attempts (
       name text primary key,
       failures integer not null,
       last_at bigint not null,
       free_at bigint not null
     );
     create table totp_steps (
       user_id text primary key,
       factor text not null,
       step bigint not null
     );`,
    // Tokens of before do not expire, may everything and are nobody's.
    `alter table operator_tokens add column expires_at bigint;
     alter table operator_tokens add column scopes text;
     alter table operator_tokens add column owner_id text;
     alter table operator_tokens add column expiry_noted integer not null default 0;`,
    // Links of invitations of before were shown to whoever invited, so they prove nothing.
    `create table pending_sign_ups (
       hash text primary key,
       email text not null,
       name text not null,
       password text not null,
       expires_at bigint not null
     );
     create index pending_sign_ups_by_email on pending_sign_ups (email);
     alter table invitations add column mailed integer not null default 0;`,
    // So that whoever invited can read a link again: those of before are only hashes, and stay so. What
    // the audit log is asked for is found by an index, however long it has become.
    `create table invitation_links (
       invitation_id text primary key,
       sealed_token text not null
     );
     alter table audit add column changes text;
     alter table audit add column subject text not null default '';
     update audit set subject = rtrim(rtrim(action, 'abcdefghijklmnopqrstuvwxyz_'), '.');
     create index audit_by_subject on audit (subject, id);
     create index audit_by_action on audit (action, id);
     create index audit_by_actor on audit (actor, id);
     create index audit_by_target on audit (target, id);
     create index audit_by_time on audit (created_at, id);`,
    // Who signs up and has no place yet. There before the identity, so that it is known however far that comes.
    `create table unplaced_people (
       user_id text primary key,
       account_id text not null,
       created_at bigint not null
     );`,
    // Secrets of before are known to whoever made their key, as far as anybody can tell.
    `create table secret_makers (
       hash text primary key,
       key_id text not null,
       user_id text not null
     );
     create index secret_makers_by_key on secret_makers (key_id);
     create index secret_makers_by_user on secret_makers (user_id);`,
    // Who answers for an invitation, which a token's name does not say. Those of before go by the address that they name.
    "alter table invitations add column sender_id text;",
  ],
};
