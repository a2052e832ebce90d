import type { PublicAccount } from "../../drafts/draft.ts";
import type { HandedOver, PublicAccountsStore } from "../../drafts/store.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { type AccessRow, GrantRows, saveAccess, toAccess } from "./drafts-access.ts";
import { DRAFT_TABLES } from "./drafts-rows.ts";

/** Every public account with what it has beside its AppSecret. */
const ACCOUNTS = `select public_accounts.*, credential, proxy_origin, sealed_proxy, source_origin, sealed_source,
  component_appid, sealed_component_secret
  from public_accounts left join public_account_access on public_account_id = public_accounts.id`;

interface Row extends AccessRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly kind: PublicAccount["kind"];
  readonly appid: string;
  readonly sealed_secret: string;
  readonly platform_url: string | null;
  readonly is_default: number;
  readonly theme: string | null;
  readonly author: string | null;
  readonly publish_allowed: number;
  readonly created_at: number;
}

function toPublicAccount(row: Row): PublicAccount {
  const access = toAccess(row);
  return {
    ...(access && { access }),
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind,
    appid: row.appid,
    sealedSecret: row.sealed_secret,
    platformUrl: row.platform_url,
    isDefault: row.is_default === 1,
    theme: row.theme,
    author: row.author,
    publishAllowed: row.publish_allowed === 1,
    createdAtMs: row.created_at,
  };
}

export class PublicAccountRows implements PublicAccountsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async list(accountId: string): Promise<readonly PublicAccount[]> {
    const rows = await this.#sql.query<Row>(
      `${ACCOUNTS} where account_id = $1 order by created_at, id`,
      [accountId],
    );
    return rows.map(toPublicAccount);
  }

  async find(accountId: string, id: string): Promise<PublicAccount | undefined> {
    const [row] = await this.#sql.query<Row>(`${ACCOUNTS} where account_id = $1 and id = $2`, [
      accountId,
      id,
    ]);
    return row && toPublicAccount(row);
  }

  add(account: PublicAccount, handed?: HandedOver): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const others = await sql.query<{ name: string }>(
        "select name from public_accounts where account_id = $1",
        [account.accountId],
      );
      if (others.some(({ name }) => name === account.name)) return false;
      const values: SqlValue[] = [
        account.id,
        account.accountId,
        account.name,
        account.kind,
        account.appid,
        account.sealedSecret,
        account.platformUrl,
        0,
        account.theme,
        account.author,
        account.publishAllowed ? 1 : 0,
        account.createdAtMs,
      ];
      await sql.query(
        `insert into public_accounts (id, account_id, name, kind, appid, sealed_secret,
           platform_url, is_default, theme, author, publish_allowed, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        values,
      );
      await saveAccess(sql, account);
      if (handed) await new GrantRows(sql).saveRefresh(account.id, handed.sealedRefresh);
      if (account.isDefault || others.length === 0) {
        await setDefault(sql, account.accountId, account.id);
      }
      return true;
    });
  }

  save(account: PublicAccount, handed?: HandedOver): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      if (!(await saveOne(sql, account))) return false;
      await saveAccess(sql, account);
      if (handed) await new GrantRows(sql).saveRefresh(account.id, handed.sealedRefresh);
      return true;
    });
  }

  async makeDefault(accountId: string, id: string): Promise<void> {
    await this.#sql.transaction((sql) => setDefault(sql, accountId, id));
  }

  remove(accountId: string, id: string, nowMs: number): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      if (await isAtWork(sql, id, nowMs)) return false;
      const drafts = "select id from drafts where public_account_id = $1 and account_id = $2";
      for (const table of DRAFT_TABLES) {
        await sql.query(`delete from ${table} where draft_id in (${drafts})`, [id, accountId]);
      }
      await sql.query("delete from drafts where public_account_id = $1 and account_id = $2", [
        id,
        accountId,
      ]);
      const own = "select id from public_accounts where id = $1 and account_id = $2";
      await sql.query(`delete from public_account_access where public_account_id in (${own})`, [
        id,
        accountId,
      ]);
      await sql.query("delete from public_accounts where id = $1 and account_id = $2", [
        id,
        accountId,
      ]);
      const [first] = await sql.query<{ id: string; is_default: number }>(
        `select id, is_default from public_accounts where account_id = $1
         order by is_default desc, kind desc, created_at, id limit 1`,
        [accountId],
      );
      // By name, "wechat" comes last: nobody's drafts go to the sandbox while there is a real one.
      if (first?.is_default === 0) await setDefault(sql, accountId, first.id);
      return true;
    });
  }
}

/** Whether a draft of this public account is pushed, deleted or published at this moment. */
async function isAtWork(sql: Sql, id: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `select draft_pushes.draft_id from draft_pushes
     where public_account_id = $1 and lease_until > $2
       and state in ('planned', 'uploading', 'sending', 'unknown')
     union all
     select draft_errands.draft_id from draft_errands join drafts on drafts.id = draft_errands.draft_id
     where drafts.public_account_id = $3 and draft_errands.lease_until > $4`,
    [id, nowMs, id, nowMs],
  );
  return rows.length > 0;
}

async function setDefault(sql: Sql, accountId: string, id: string): Promise<void> {
  // In two statements: there is never more than one.
  await sql.query("update public_accounts set is_default = 0 where account_id = $1", [accountId]);
  await sql.query("update public_accounts set is_default = 1 where account_id = $1 and id = $2", [
    accountId,
    id,
  ]);
}

async function saveOne(sql: Sql, account: PublicAccount): Promise<boolean> {
  const rows = await sql.query(
    `update public_accounts set name = $1, sealed_secret = $2, theme = $3, author = $4,
         publish_allowed = $5
       where id = $6 and account_id = $7 and not exists (
         select 1 from public_accounts as other
         where other.account_id = public_accounts.account_id and other.name = $8
           and other.id <> public_accounts.id)
       returning id`,
    [
      account.name,
      account.sealedSecret,
      account.theme,
      account.author,
      account.publishAllowed ? 1 : 0,
      account.id,
      account.accountId,
      account.name,
    ],
  );
  return rows.length === 1;
}
