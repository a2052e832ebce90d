import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type {
  CallRecord,
  CallsStore,
  PlatformStore,
  ProductCard,
  ProductsStore,
  QuotasStore,
} from "../../platform/store.ts";
import { PlatformAccountRows } from "./platform-accounts.ts";
import { PlatformDraftRows } from "./platform-drafts.ts";
import { PlatformTokenRows } from "./platform-tokens.ts";

class QuotaRows implements QuotasStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async count(appid: string, period: string, name: string, max: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into platform_quotas (appid, period, name, used) values ($1, $2, $3, 1)
       on conflict (appid, period, name) do update set used = platform_quotas.used + 1
         where platform_quotas.used < $4
       returning used`,
      [appid, period, name, max],
    );
    return rows.length === 1;
  }

  async used(appid: string, period: string, name: string): Promise<number> {
    const [row] = await this.#sql.query<{ used: number }>(
      "select used from platform_quotas where appid = $1 and period = $2 and name = $3",
      [appid, period, name],
    );
    return row?.used ?? 0;
  }

  async setUsed(appid: string, period: string, name: string, used: number): Promise<void> {
    await this.#sql.query(
      `insert into platform_quotas (appid, period, name, used) values ($1, $2, $3, $4)
       on conflict (appid, period, name) do update set used = excluded.used`,
      [appid, period, name, used],
    );
  }

  async clear(appid: string, period: string): Promise<void> {
    await this.#sql.query("delete from platform_quotas where appid = $1 and period = $2", [
      appid,
      period,
    ]);
  }
}

interface CallRow {
  readonly rid: string;
  readonly appid: string | null;
  readonly at: number;
  readonly cost_ms: number;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly request_body: string;
  readonly response_body: string;
  readonly client_ip: string;
  readonly errcode: number;
  readonly field: string | null;
}

/** An offset wants a limit, on one of the engines; more than can pile up between two trims. */
const REST = 1_000_000;

const CALL_COLUMNS = `rid, appid, at, cost_ms, method, path, url, request_body, response_body,
  client_ip, errcode, field`;

function toCall(row: CallRow): CallRecord {
  return {
    rid: row.rid,
    appid: row.appid ?? undefined,
    atMs: row.at,
    costMs: row.cost_ms,
    method: row.method,
    path: row.path,
    url: row.url,
    requestBody: row.request_body,
    responseBody: row.response_body,
    clientIp: row.client_ip,
    errcode: row.errcode,
    field: row.field ?? undefined,
  };
}

class CallRows implements CallsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(call: CallRecord): Promise<void> {
    await this.#sql.query(
      `insert into platform_calls (${CALL_COLUMNS})
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        call.rid,
        call.appid ?? null,
        call.atMs,
        call.costMs,
        call.method,
        call.path,
        call.url,
        call.requestBody,
        call.responseBody,
        call.clientIp,
        call.errcode,
        call.field ?? null,
      ],
    );
  }

  async find(rid: string): Promise<CallRecord | undefined> {
    const [row] = await this.#sql.query<CallRow>(
      `select ${CALL_COLUMNS} from platform_calls where rid = $1`,
      [rid],
    );
    return row && toCall(row);
  }

  async list(appid: string | undefined, limit: number): Promise<readonly CallRecord[]> {
    const select = `select ${CALL_COLUMNS} from platform_calls`;
    const rows =
      appid === undefined
        ? await this.#sql.query<CallRow>(`${select} order by at desc, rid desc limit $1`, [limit])
        : await this.#sql.query<CallRow>(
            `${select} where appid = $1 order by at desc, rid desc limit $2`,
            [appid, limit],
          );
    return rows.map(toCall);
  }

  async removeBefore(ms: number): Promise<void> {
    await this.#sql.query("delete from platform_calls where at < $1", [ms]);
  }

  async trim(appid: string | undefined, keep: number): Promise<void> {
    const whose: SqlValue[] = appid === undefined ? [] : [appid];
    await this.#sql.query(
      `delete from platform_calls where rid in (
         select rid from platform_calls where appid ${appid === undefined ? "is null" : "= $1"}
         order by at desc, rid desc limit ${REST} offset $${whose.length + 1})`,
      [...whose, keep],
    );
  }
}

class ProductRows implements ProductsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(card: ProductCard, nowMs: number): Promise<string> {
    const [row] = await this.#sql.query<{ key: string }>(
      `insert into platform_products (key, appid, product_id, article_type, card_type, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (appid, product_id, article_type, card_type)
         do update set created_at = excluded.created_at
       returning key`,
      [card.key, card.appid, card.productId, card.articleType, card.cardType, nowMs],
    );
    return row?.key ?? card.key;
  }

  async has(appid: string, key: string): Promise<boolean> {
    const rows = await this.#sql.query(
      "select 1 as found from platform_products where key = $1 and appid = $2",
      [key, appid],
    );
    return rows.length === 1;
  }
}

/** The tables of the platform behind the ports of its room. */
export function openPlatformStore(sql: Sql): PlatformStore {
  return {
    accounts: new PlatformAccountRows(sql),
    tokens: new PlatformTokenRows(sql),
    quotas: new QuotaRows(sql),
    calls: new CallRows(sql),
    drafts: new PlatformDraftRows(sql),
    products: new ProductRows(sql),
  };
}
