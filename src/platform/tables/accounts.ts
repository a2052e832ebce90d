import type { Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { AccountChanges, PublicAccount } from "../account.ts";
import { after, type PlatformTables } from "./schema.ts";

/** An account with its secret, sealed. */
export interface KeptAccount {
  readonly account: PublicAccount;
  readonly sealedSecret: string;
  /** The one that its owner has been given; there may be others. */
  readonly isSandbox: boolean;
}

const COLUMNS = [
  ...["appid", "owner", "name", "secret as sealedSecret", "sandbox", "type", "verified"],
  ...["comment_right as comments", "product_right as product", "ip_list as networks"],
  ...["frozen", "callback_url as callback", "created_at as createdAtMs"],
] as const;

type AccountRow = Selection<PlatformTables, "platform_accounts", (typeof COLUMNS)[number]>;

function toKept({ sealedSecret, sandbox, ...row }: AccountRow): KeptAccount {
  return {
    account: {
      ...row,
      verified: row.verified === 1,
      comments: row.comments === 1,
      networks: JSON.parse(row.networks),
      frozen: row.frozen === 1,
    },
    sealedSecret,
    isSandbox: sandbox === 1,
  };
}

/** The columns of what can be changed; those that stay as they are have no value. */
function changedColumns({ comments, product, networks, callback, ...same }: AccountChanges) {
  return {
    ...same,
    comment_right: comments,
    product_right: product,
    ip_list: networks && JSON.stringify(networks),
    callback_url: callback,
  };
}

export class AccountRows extends Rows<PlatformTables> {
  /** False when the appid is taken, or the owner has a sandbox already and this is another. */
  async add({ account, sealedSecret, isSandbox }: KeptAccount): Promise<boolean> {
    const rows = await this.tables
      .insertInto("platform_accounts")
      .values(({ selectFrom }) => ({
        appid: account.appid,
        owner: account.owner,
        name: account.name,
        secret: sealedSecret,
        sandbox: isSandbox,
        type: account.type,
        verified: account.verified,
        comment_right: account.comments,
        product_right: account.product,
        ip_list: JSON.stringify(account.networks),
        frozen: account.frozen,
        callback_url: account.callback,
        created_at: account.createdAtMs,
        position: selectFrom("platform_accounts").select(({ fn }) => after(fn.max("position"))),
      }))
      .onConflict((conflict) => conflict.doNothing())
      .returning("appid")
      .execute();
    return rows.length === 1;
  }

  async find(appid: string): Promise<KeptAccount | undefined> {
    const row = await this.#select().where("appid", "=", appid).executeTakeFirst();
    return row && toKept(row);
  }

  async findSandbox(owner: string): Promise<KeptAccount | undefined> {
    const row = await this.#select()
      .where("owner", "=", owner)
      .where("sandbox", "=", ({ lit }) => lit(1))
      .executeTakeFirst();
    return row && toKept(row);
  }

  /** Of one owner, or all; oldest first. */
  async list(owner: string | undefined): Promise<readonly KeptAccount[]> {
    const rows = await this.#select()
      .$if(owner !== undefined, (all) => all.where("owner", "=", owner ?? ""))
      .orderBy("created_at")
      .orderBy("position")
      .orderBy("appid")
      .execute();
    return rows.map(toKept);
  }

  /** False when there is no such account. */
  async change(appid: string, changes: AccountChanges): Promise<boolean> {
    const columns = changedColumns(changes);
    if (Object.values(columns).every((value) => value === undefined)) {
      return (await this.find(appid)) !== undefined;
    }
    const rows = await this.tables
      .updateTable("platform_accounts")
      .set(columns)
      .where("appid", "=", appid)
      .returning("appid")
      .execute();
    return rows.length === 1;
  }

  /** Puts a secret in the place of this one. False when it is there no more. */
  async replaceSecret({ account, sealedSecret }: KeptAccount, next: string): Promise<boolean> {
    const rows = await this.tables
      .updateTable("platform_accounts")
      .set({ secret: next })
      .where(({ and }) => and({ appid: account.appid, secret: sealedSecret }))
      .returning("appid")
      .execute();
    return rows.length === 1;
  }

  #select() {
    return this.tables.selectFrom("platform_accounts").select(COLUMNS);
  }
}
