// How the secrets of a key change and how a key goes, in the words of both databases.

/** So long a secret that has ended is still known as one, and its refusal can say what became of it. */
export const FORMER_SECRET_KEPT_MS = 90 * 86_400_000;

export const LIVE_KEY_SQL = "select hash from keys where id = $1 and deleted_at is null";

export const KEYS_OF_SQL =
  "select count(*) as n from keys where account_id = $1 and deleted_at is null";

export const FORGET_SECRETS_SQL = "delete from former_secrets where key_id = $1 and ends_at < $2";

/** The secret that a key has now, before it gets another one. */
export const KEEP_SECRET_SQL = `insert into former_secrets (ends_at, hash, key_id, last_four)
  select cast($1 as bigint), hash, id, last_four from keys where id = $2`;

export const ADD_SECRET_SQL = `insert into former_secrets (ends_at, hash, key_id, last_four) values ($1, $2, $3, $4)`;

/** Whether a key has still the one that is to be replaced, and beside it the one that was added for that. */
export const CAN_REPLACE_SQL = `select 1 as one from keys k join former_secrets f on f.key_id = k.id
  where k.id = $1 and k.hash = $2 and f.hash = $3`;

/** One that was added becomes the key's own. */
export const TAKE_SECRET_SQL = "delete from former_secrets where hash = $1";

export const SET_SECRET_SQL = "update keys set hash = $1, last_four = $2 where id = $3";

/** The one that was replaced becomes the key's own again, if its place is taken by that other. */
export const RESTORE_SECRET_SQL = `update keys set hash = f.hash, last_four = f.last_four from former_secrets f
  where keys.id = $1 and f.key_id = keys.id and f.hash = $2 and keys.hash = $3`;

/** Behind that: neither the one that is withdrawn is among those of before, nor the key's own. */
export const WITHDRAW_SECRET_SQL = `delete from former_secrets
  where key_id = $1 and (hash = $2 or hash = (select hash from keys where id = $1))`;

export const END_SECRETS_SQL =
  "update former_secrets set ends_at = $1 where ends_at > $1 and key_id = $2";

export const DELETE_KEY_SQL =
  "update keys set deleted_at = $1, enabled = 0 where id = $2 and deleted_at is null";
