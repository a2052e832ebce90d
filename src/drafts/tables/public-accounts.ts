import type { Kysely } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { PublicAccount } from "../draft.ts";
import { isLeaseOver } from "./exclusive-jobs.ts";
import { saveAccess, saveRefresh } from "./grants.ts";
import { DRAFT_TABLES, type DraftsTables, OPEN } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** The public accounts of an account, each with what it has beside its AppSecret. */
function ofAccount(tables: Tables, accountId: string) {
  return tables
    .selectFrom("public_accounts")
    .leftJoin("public_account_access", "public_account_id", "public_accounts.id")
    .select(["id", "account_id as accountId", "name", "kind", "appid", "theme", "author"])
    .select(["sealed_secret as sealedSecret", "platform_url as platformUrl", "is_default"])
    .select(["publish_allowed", "created_at as createdAtMs", "credential"])
    .select(["proxy_origin as proxyOrigin", "sealed_proxy as sealedProxy"])
    .select(["source_origin as sourceOrigin", "sealed_source as sealedSource"])
    .select("component_appid as componentAppid")
    .select("sealed_component_secret as sealedComponentSecret")
    .where("account_id", "=", accountId);
}

type Row = Awaited<ReturnType<ReturnType<typeof ofAccount>["execute"]>>[number];

function toPublicAccount(row: Row): PublicAccount {
  const { is_default, publish_allowed, credential, proxyOrigin, sealedProxy, ...rest } = row;
  const { sourceOrigin, sealedSource, componentAppid, sealedComponentSecret, ...account } = rest;
  const source = { sourceOrigin, sealedSource, componentAppid, sealedComponentSecret };
  return {
    ...(credential !== null && { access: { credential, proxyOrigin, sealedProxy, ...source } }),
    ...account,
    isDefault: is_default === 1,
    publishAllowed: publish_allowed === 1,
  };
}

export class PublicAccountRows extends Rows<DraftsTables> {
  /** Newest last. */
  async list(accountId: string): Promise<readonly PublicAccount[]> {
    const rows = await ofAccount(this.tables, accountId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toPublicAccount);
  }

  async find(accountId: string, id: string): Promise<PublicAccount | undefined> {
    const row = await ofAccount(this.tables, accountId).where("id", "=", id).executeTakeFirst();
    return row && toPublicAccount(row);
  }

  /**
   * False when the account has one with this name already. It becomes the default where it says so,
   * or is the first one. The refresh token of a third party, sealed, is there with it, or neither is.
   */
  add(account: PublicAccount, sealedRefresh?: string): Promise<boolean> {
    const { id, accountId, name, kind, appid, theme, author } = account;
    return this.tables.atomically(async (tables) => {
      const others = await tables
        .selectFrom("public_accounts")
        .select("name")
        .where("account_id", "=", accountId)
        .execute();
      if (others.some((other) => other.name === name)) return false;
      await tables
        .insertInto("public_accounts")
        .values({
          ...{ id, account_id: accountId, name, kind, appid, theme, author },
          sealed_secret: account.sealedSecret,
          platform_url: account.platformUrl,
          is_default: false,
          publish_allowed: account.publishAllowed,
          created_at: account.createdAtMs,
        })
        .execute();
      await saveAccess(tables, account);
      if (sealedRefresh !== undefined) await saveRefresh(tables, id, sealedRefresh);
      if (account.isDefault || others.length === 0) await setDefault(tables, accountId, id);
      return true;
    });
  }

  /**
   * Overwrites what can be changed, all or nothing of it, by what it is when that is written: of two who change it at
   * once, neither takes back what the other has said.
   */
  change(
    accountId: string,
    id: string,
    change: (before: PublicAccount) => PublicAccount,
    sealedRefresh?: string,
  ): Promise<"done" | "missing" | "taken"> {
    return this.tables.atomically(async (tables) => {
      const row = await ofAccount(tables, accountId).where("id", "=", id).executeTakeFirst();
      if (!row) return "missing";
      const account = change(toPublicAccount(row));
      if (!(await saveOne(tables, account))) return "taken";
      await saveAccess(tables, account);
      if (sealedRefresh !== undefined) await saveRefresh(tables, id, sealedRefresh);
      return "done";
    });
  }

  /** Puts a secret in the place of this one, unless somebody else has. */
  async replaceSecret({ id, sealedSecret }: PublicAccount, next: string): Promise<void> {
    await this.tables
      .updateTable("public_accounts")
      .set({ sealed_secret: next })
      .where(({ and }) => and({ id, sealed_secret: sealedSecret }))
      .execute();
  }

  async makeDefault(accountId: string, id: string): Promise<void> {
    await this.tables.atomically((tables) => setDefault(tables, accountId, id));
  }

  /**
   * Gone with its pushes, drafts and their versions; another one, a real one first, becomes the
   * default. False, and nothing is gone, while anything is done with one of its drafts.
   */
  remove(accountId: string, id: string, nowMs: number): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      if (await isAtWork(tables, id, nowMs)) return false;
      await removeAll(tables, accountId, id);
      const first = await tables
        .selectFrom("public_accounts")
        .select(["id", "is_default"])
        .where("account_id", "=", accountId)
        .orderBy("is_default", "desc")
        .orderBy("kind", "desc")
        .orderBy("created_at")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      // By name, "wechat" comes last: nobody's drafts go to the sandbox while there is a real one.
      if (first?.is_default === 0) await setDefault(tables, accountId, first.id);
      return true;
    });
  }
}

/** The public account with everything that is kept for it. */
async function removeAll(tables: Tables, accountId: string, id: string): Promise<void> {
  const own = tables
    .selectFrom("public_accounts")
    .select("id")
    .where(({ and }) => and({ id, account_id: accountId }));
  const drafts = tables
    .selectFrom("drafts")
    .select("id")
    .where(({ and }) => and({ public_account_id: id, account_id: accountId }));
  for (const table of DRAFT_TABLES) {
    await tables.deleteFrom(table).where("draft_id", "in", drafts).execute();
  }
  await tables.deleteFrom("drafts").where("id", "in", drafts).execute();
  await tables.deleteFrom("public_account_access").where("public_account_id", "in", own).execute();
  await tables.deleteFrom("public_accounts").where("id", "in", own).execute();
}

/** Whether a draft of this public account is pushed, deleted or published at this moment. */
async function isAtWork(tables: Tables, id: string, nowMs: number): Promise<boolean> {
  const rows = await tables
    .selectFrom("draft_pushes")
    .select("draft_id")
    .where("public_account_id", "=", id)
    .where(({ not }) => not(isLeaseOver(nowMs)))
    .where("state", "in", OPEN)
    .unionAll(({ selectFrom }) =>
      selectFrom("draft_errands")
        .innerJoin("drafts", "drafts.id", "draft_errands.draft_id")
        .select("draft_id")
        .where("drafts.public_account_id", "=", id)
        .where(({ not }) => not(isLeaseOver(nowMs))),
    )
    .execute();
  return rows.length > 0;
}

async function setDefault(tables: Tables, accountId: string, id: string): Promise<void> {
  // In two statements: there is never more than one.
  await tables
    .updateTable("public_accounts")
    .set({ is_default: false })
    .where("account_id", "=", accountId)
    .execute();
  await tables
    .updateTable("public_accounts")
    .set({ is_default: true })
    .where(({ and }) => and({ account_id: accountId, id }))
    .execute();
}

async function saveOne(tables: Tables, account: PublicAccount): Promise<boolean> {
  const { id, accountId, name, theme, author } = account;
  const rows = await tables
    .updateTable("public_accounts")
    .set({ name, theme, author })
    .set({ sealed_secret: account.sealedSecret, publish_allowed: account.publishAllowed })
    .where(({ and }) => and({ id, account_id: accountId }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("public_accounts as other")
            .select("other.id")
            .whereRef("other.account_id", "=", "public_accounts.account_id")
            .where("other.name", "=", name)
            .whereRef("other.id", "<>", "public_accounts.id"),
        ),
      ),
    )
    .returning("id")
    .execute();
  return rows.length === 1;
}
