import type { Account, InputLoss, Key, PresentedKey } from "../../accounts/account.ts";

/** An integer as either database returns it. */
export type Integer = number | bigint;

export interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly last_four: string;
  readonly name: string;
  readonly enabled: Integer;
  readonly expires_at: Integer | null;
  readonly models: string | null;
  readonly networks: string | null;
  readonly rpm: Integer;
  readonly tpm: Integer;
  readonly concurrency: Integer;
  readonly hard: Integer;
  readonly account_read: Integer;
  readonly show_cost: Integer;
  readonly created_at: Integer;
  readonly last_used_at: Integer | null;
  readonly deleted_at: Integer | null;
}

export interface PresentedKeyRow extends KeyRow {
  readonly secret_ends_at: Integer | null;
  readonly account_enabled: Integer;
  readonly account_hard: Integer;
  readonly overdraft: Integer | string;
  readonly operator: Integer;
}

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly operator: Integer;
  readonly enabled: Integer;
  readonly hard: Integer;
  readonly overdraft: Integer | string;
  readonly created_at: Integer;
}

/** Of an account `a`. Money is text, to stay whole. */
export const ACCOUNT_COLUMNS =
  "a.id, a.name, a.operator, a.enabled, a.hard, cast(a.overdraft as text) as overdraft, a.created_at";

/** Of a key `k`. */
export const KEY_COLUMNS = `
  k.id, k.account_id, k.last_four, k.name, k.enabled, k.expires_at, k.models, k.networks,
  k.rpm, k.tpm, k.concurrency, k.hard, k.account_read, k.show_cost, k.created_at, k.last_used_at,
  k.deleted_at`;

/** Of a key `k` and its account `a`. */
export const PRESENTED_COLUMNS = `
  ${KEY_COLUMNS}, a.enabled as account_enabled, a.hard as account_hard,
  cast(a.overdraft as text) as overdraft, a.operator`;

/** A key by the hash of what was presented, be it of before, with the state of its account. */
export const FIND_KEY_SQL = `
  select ${PRESENTED_COLUMNS}, null as secret_ends_at
  from keys k join accounts a on a.id = k.account_id
  where k.hash = $1
  union all
  select ${PRESENTED_COLUMNS}, f.ends_at as secret_ends_at
  from former_secrets f join keys k on k.id = f.key_id join accounts a on a.id = k.account_id
  where f.hash = $1`;

export interface FormerSecretRow {
  readonly key_id: string;
  readonly last_four: string;
  readonly ends_at: Integer;
}

function flag(value: Integer): boolean {
  return Number(value) === 1;
}

function optional(value: Integer | null): number | null {
  return value === null ? null : Number(value);
}

function list(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

export function readKey(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    lastFour: row.last_four,
    name: row.name,
    enabled: flag(row.enabled),
    expiresAtMs: optional(row.expires_at),
    models: list(row.models),
    networks: list(row.networks),
    requestsPerMinute: Number(row.rpm),
    tokensPerMinute: Number(row.tpm),
    concurrency: Number(row.concurrency),
    hard: flag(row.hard),
    accountRead: flag(row.account_read),
    showCost: flag(row.show_cost),
    createdAtMs: Number(row.created_at),
    lastUsedAtMs: optional(row.last_used_at),
    deletedAtMs: optional(row.deleted_at),
  };
}

export function readPresentedKey(row: PresentedKeyRow, inputLoss: InputLoss): PresentedKey {
  // Onto the same object: a copy for every request would be for nothing.
  return Object.assign(readKey(row), {
    secretEndsAtMs: optional(row.secret_ends_at),
    accountEnabled: flag(row.account_enabled),
    accountHard: flag(row.account_hard),
    overdraft: BigInt(row.overdraft),
    operator: flag(row.operator),
    inputLoss,
  });
}

export function readAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    operator: flag(row.operator),
    enabled: flag(row.enabled),
    hard: flag(row.hard),
    overdraft: BigInt(row.overdraft),
    createdAtMs: Number(row.created_at),
  };
}
