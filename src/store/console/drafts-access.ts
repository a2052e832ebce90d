import type { PublicAccount, PublicAccountAccess } from "../../drafts/draft.ts";
import type { AccountGrants, GrantsStore } from "../../drafts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** A row of `public_account_access` beside its public account; all null where there is none. */
export interface AccessRow {
  readonly credential: PublicAccountAccess["credential"] | null;
  readonly proxy_origin: string | null;
  readonly sealed_proxy: string | null;
  readonly source_origin: string | null;
  readonly sealed_source: string | null;
  readonly component_appid: string | null;
  readonly sealed_component_secret: string | null;
}

export function toAccess(row: AccessRow): PublicAccountAccess | undefined {
  if (row.credential === null) return undefined;
  return {
    credential: row.credential,
    proxyOrigin: row.proxy_origin,
    sealedProxy: row.sealed_proxy,
    sourceOrigin: row.source_origin,
    sealedSource: row.sealed_source,
    componentAppid: row.component_appid,
    sealedComponentSecret: row.sealed_component_secret,
  };
}

/** Leaves what was handed to us for the account as it is. */
export async function saveAccess(sql: Sql, { id, access }: PublicAccount): Promise<void> {
  if (!access) return;
  await sql.query(
    `insert into public_account_access (public_account_id, credential, proxy_origin, sealed_proxy,
       source_origin, sealed_source, component_appid, sealed_component_secret, token_until, ticket_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0)
     on conflict (public_account_id) do update set credential = excluded.credential,
       proxy_origin = excluded.proxy_origin, sealed_proxy = excluded.sealed_proxy,
       source_origin = excluded.source_origin, sealed_source = excluded.sealed_source,
       component_appid = excluded.component_appid,
       sealed_component_secret = excluded.sealed_component_secret`,
    [
      id,
      access.credential,
      access.proxyOrigin,
      access.sealedProxy,
      access.sourceOrigin,
      access.sealedSource,
      access.componentAppid,
      access.sealedComponentSecret,
    ],
  );
}

/**
 * The newest ticket of a public account's component. It may lie with another one of the same Faregate
 * account: the platform pushes one for all, and this one may have come later.
 */
const NEWEST_TICKET = `
  select held.sealed_ticket, held.ticket_at
  from public_account_access own
  join public_accounts account on account.id = own.public_account_id
  join public_accounts beside on beside.account_id = account.account_id
  join public_account_access held on held.public_account_id = beside.id
    and held.component_appid = own.component_appid
  where own.public_account_id = $1 and held.sealed_ticket is not null
  order by held.ticket_at desc limit 1`;

interface TicketRow {
  readonly sealed_ticket: string | null;
  readonly ticket_at: number;
}

export class GrantRows implements GrantsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(publicAccountId: string): Promise<AccountGrants | undefined> {
    const [row] = await this.#sql.query<{
      readonly sealed_token: string | null;
      readonly token_until: number;
      readonly sealed_refresh: string | null;
    }>(
      `select sealed_token, token_until, sealed_refresh
       from public_account_access where public_account_id = $1`,
      [publicAccountId],
    );
    if (!row) return undefined;
    const [ticket] = await this.#sql.query<TicketRow>(NEWEST_TICKET, [publicAccountId]);
    return {
      sealedToken: row.sealed_token,
      tokenUntilMs: row.token_until,
      sealedTicket: ticket?.sealed_ticket ?? null,
      ticketAtMs: ticket?.ticket_at ?? 0,
      sealedRefresh: row.sealed_refresh,
    };
  }

  async saveToken(publicAccountId: string, sealed: string, untilMs: number): Promise<void> {
    await this.#sql.query(
      `update public_account_access set sealed_token = $1, token_until = $2
       where public_account_id = $3`,
      [sealed, Math.floor(untilMs), publicAccountId],
    );
  }

  async dropToken(publicAccountId: string, sealed: string): Promise<void> {
    await this.#sql.query(
      `update public_account_access set sealed_token = null, token_until = 0
       where public_account_id = $1 and sealed_token = $2`,
      [publicAccountId, sealed],
    );
  }

  async saveTicket(
    accountId: string,
    componentAppid: string,
    sealed: string,
    atMs: number,
  ): Promise<void> {
    await this.#sql.query(
      `update public_account_access set sealed_ticket = $1, ticket_at = $2
       where component_appid = $3 and public_account_id in (
         select id from public_accounts where account_id = $4)`,
      [sealed, atMs, componentAppid, accountId],
    );
  }

  async saveRefresh(publicAccountId: string, sealed: string, before?: string): Promise<void> {
    const [where, values] =
      before === undefined ? ["", []] : [" and sealed_refresh = $3", [before]];
    await this.#sql.query(
      `update public_account_access set sealed_refresh = $1 where public_account_id = $2${where}`,
      [sealed, publicAccountId, ...values],
    );
  }
}
