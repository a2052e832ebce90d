import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { AccountChanges, PublicAccount } from "../../platform/account.ts";
import type { AccountsStore, KeptAccount } from "../../platform/store.ts";

interface AccountRow {
  readonly appid: string;
  readonly owner: string;
  readonly name: string;
  readonly secret: string;
  readonly sandbox: number;
  readonly type: PublicAccount["type"];
  readonly verified: number;
  readonly comment_right: number;
  readonly product_right: PublicAccount["productRight"];
  readonly ip_list: string;
  readonly frozen: number;
  readonly callback_url: string | null;
  readonly created_at: number;
}

const COLUMNS = `appid, owner, name, secret, sandbox, type, verified, comment_right, product_right,
  ip_list, frozen, callback_url, created_at`;

function toKept(row: AccountRow): KeptAccount {
  return {
    account: {
      appid: row.appid,
      owner: row.owner,
      name: row.name,
      type: row.type,
      verified: row.verified === 1,
      commentRight: row.comment_right === 1,
      productRight: row.product_right,
      ipList: JSON.parse(row.ip_list),
      frozen: row.frozen === 1,
      callbackUrl: row.callback_url ?? undefined,
      createdAtMs: row.created_at,
    },
    sealedSecret: row.secret,
    isSandbox: row.sandbox === 1,
  };
}

/** Column and value of each change. */
function assignments(changes: AccountChanges): readonly (readonly [string, SqlValue])[] {
  const set: [string, SqlValue][] = [];
  const flag = (column: string, value: boolean | undefined) => {
    if (value !== undefined) set.push([column, value ? 1 : 0]);
  };
  if (changes.name !== undefined) set.push(["name", changes.name]);
  if (changes.type !== undefined) set.push(["type", changes.type]);
  if (changes.productRight !== undefined) set.push(["product_right", changes.productRight]);
  if (changes.ipList !== undefined) set.push(["ip_list", JSON.stringify(changes.ipList)]);
  flag("verified", changes.verified);
  flag("comment_right", changes.commentRight);
  flag("frozen", changes.frozen);
  if ("callbackUrl" in changes) set.push(["callback_url", changes.callbackUrl ?? null]);
  return set;
}

export class PlatformAccountRows implements AccountsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add({ account, sealedSecret, isSandbox }: KeptAccount): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into platform_accounts (${COLUMNS}, position)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
         (select coalesce(max(position), 0) + 1 from platform_accounts))
       on conflict do nothing returning appid`,
      [
        account.appid,
        account.owner,
        account.name,
        sealedSecret,
        isSandbox ? 1 : 0,
        account.type,
        account.verified ? 1 : 0,
        account.commentRight ? 1 : 0,
        account.productRight,
        JSON.stringify(account.ipList),
        account.frozen ? 1 : 0,
        account.callbackUrl ?? null,
        account.createdAtMs,
      ],
    );
    return rows.length === 1;
  }

  async find(appid: string): Promise<KeptAccount | undefined> {
    const [row] = await this.#sql.query<AccountRow>(
      `select ${COLUMNS} from platform_accounts where appid = $1`,
      [appid],
    );
    return row && toKept(row);
  }

  async findSandbox(owner: string): Promise<KeptAccount | undefined> {
    const [row] = await this.#sql.query<AccountRow>(
      `select ${COLUMNS} from platform_accounts where owner = $1 and sandbox = 1`,
      [owner],
    );
    return row && toKept(row);
  }

  async list(owner: string | undefined): Promise<readonly KeptAccount[]> {
    const whose = owner === undefined ? "" : "where owner = $1";
    const rows = await this.#sql.query<AccountRow>(
      `select ${COLUMNS} from platform_accounts ${whose} order by created_at, position, appid`,
      owner === undefined ? [] : [owner],
    );
    return rows.map(toKept);
  }

  async change(appid: string, changes: AccountChanges): Promise<boolean> {
    const set = assignments(changes);
    if (set.length === 0) return (await this.find(appid)) !== undefined;
    const texts = set.map(([column], i) => `${column} = $${i + 1}`).join(", ");
    const rows = await this.#sql.query(
      `update platform_accounts set ${texts} where appid = $${set.length + 1} returning appid`,
      [...set.map(([, value]) => value), appid],
    );
    return rows.length === 1;
  }

  async handOver(fromOwner: string, toOwner: string): Promise<void> {
    await this.#sql.query(
      `update platform_accounts set owner = $1 where owner = $2 and sandbox = 1
       and not exists (select 1 from platform_accounts where owner = $3 and sandbox = 1)`,
      [toOwner, fromOwner, toOwner],
    );
  }
}
