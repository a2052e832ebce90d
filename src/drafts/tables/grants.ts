import type { Kysely } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { PublicAccount } from "../draft.ts";
import type { DraftsTables } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** What is handed to us for a public account, and changes without its owner. All of it is sealed. */
interface AccountGrants {
  readonly sealedToken: string | null;
  readonly tokenUntilMs: number;
  /** The platform's `component_verify_ticket`, as it was pushed last for any account of the component. */
  readonly sealedTicket: string | null;
  readonly ticketAtMs: number;
  readonly sealedRefresh: string | null;
}

/** Leaves what was handed to us for the account as it is. */
export async function saveAccess(tables: Tables, { id, access }: PublicAccount): Promise<void> {
  if (!access) return;
  const columns = {
    credential: access.credential,
    proxy_origin: access.proxyOrigin,
    sealed_proxy: access.sealedProxy,
    source_origin: access.sourceOrigin,
    sealed_source: access.sealedSource,
    component_appid: access.componentAppid,
    sealed_component_secret: access.sealedComponentSecret,
  };
  await tables
    .insertInto("public_account_access")
    .values({ public_account_id: id, ...columns, token_until: 0, ticket_at: 0 })
    .onConflict((conflict) => conflict.column("public_account_id").doUpdateSet(columns))
    .execute();
}

/** Also for who adds or saves the account in the same transaction. */
export async function saveRefresh(
  tables: Tables,
  publicAccountId: string,
  sealed: string,
  before?: string,
): Promise<void> {
  const own = tables
    .updateTable("public_account_access")
    .set({ sealed_refresh: sealed })
    .where("public_account_id", "=", publicAccountId);
  await (before === undefined ? own : own.where("sealed_refresh", "=", before)).execute();
}

/** Only for public accounts that have an `access`. */
export class GrantRows extends Rows<DraftsTables> {
  async find(publicAccountId: string): Promise<AccountGrants | undefined> {
    const row = await this.tables
      .selectFrom("public_account_access")
      .select(["sealed_token as sealedToken", "token_until as tokenUntilMs"])
      .select("sealed_refresh as sealedRefresh")
      .where("public_account_id", "=", publicAccountId)
      .executeTakeFirst();
    if (!row) return undefined;
    const ticket = await this.#newestTicket(publicAccountId);
    return {
      ...row,
      sealedTicket: ticket?.sealed_ticket ?? null,
      ticketAtMs: ticket?.ticket_at ?? 0,
    };
  }

  async saveToken(publicAccountId: string, sealed: string, untilMs: number): Promise<void> {
    await this.#update()
      .set({ sealed_token: sealed, token_until: Math.floor(untilMs) })
      .where("public_account_id", "=", publicAccountId)
      .execute();
  }

  /** Only where it is still this one. */
  async dropToken(publicAccountId: string, sealed: string): Promise<void> {
    await this.#update()
      .set({ sealed_token: null, token_until: 0 })
      .where(({ and }) => and({ public_account_id: publicAccountId, sealed_token: sealed }))
      .execute();
  }

  /** For all public accounts of a Faregate account that this component has. */
  async saveTicket(
    accountId: string,
    componentAppid: string,
    sealed: string,
    atMs: number,
  ): Promise<void> {
    await this.#update()
      .set({ sealed_ticket: sealed, ticket_at: atMs })
      .where("component_appid", "=", componentAppid)
      .where("public_account_id", "in", ({ selectFrom }) =>
        selectFrom("public_accounts").select("id").where("account_id", "=", accountId),
      )
      .execute();
  }

  /** Where `before` is given, only in its place: nobody's newer one is lost. */
  saveRefresh(publicAccountId: string, sealed: string, before?: string): Promise<void> {
    return saveRefresh(this.tables, publicAccountId, sealed, before);
  }

  /**
   * Of a public account's component. It may lie with another one of the same Faregate account: the
   * platform pushes one for all, and this one may have come later.
   */
  #newestTicket(publicAccountId: string) {
    return this.tables
      .selectFrom("public_account_access as own")
      .innerJoin("public_accounts as account", "account.id", "own.public_account_id")
      .innerJoin("public_accounts as beside", "beside.account_id", "account.account_id")
      .innerJoin("public_account_access as held", (join) =>
        join
          .onRef("held.public_account_id", "=", "beside.id")
          .onRef("held.component_appid", "=", "own.component_appid"),
      )
      .select(["held.sealed_ticket", "held.ticket_at"])
      .where("own.public_account_id", "=", publicAccountId)
      .where("held.sealed_ticket", "is not", null)
      .orderBy("held.ticket_at", "desc")
      .limit(1)
      .executeTakeFirst();
  }

  #update() {
    return this.tables.updateTable("public_account_access");
  }
}
