import type { Kysely, Selection } from "kysely";
import type { Sql } from "../../lib/sql/sql.ts";
import { tablesOf } from "../../lib/sql/tables.ts";
import type { PlatformTables } from "./schema.ts";

/** One call of the wire, without its secrets. */
export interface CallRecord {
  readonly rid: string;
  readonly appid: string | undefined;
  readonly atMs: number;
  readonly costMs: number;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly clientIp: string;
  readonly errcode: number;
  /** The field that was refused, which the wire does not tell. */
  readonly field: string | undefined;
}

/** An offset wants a limit, on one of the engines; more than can pile up between two trims. */
const REST = 1_000_000;

const COLUMNS = [
  ...["rid", "appid", "at as atMs", "cost_ms as costMs", "method", "path", "url", "errcode"],
  ...["request_body as requestBody", "response_body as responseBody", "client_ip as clientIp"],
  "field",
] as const;

type CallRow = Selection<PlatformTables, "platform_calls", (typeof COLUMNS)[number]>;

function toCall(row: CallRow): CallRecord {
  return { ...row, appid: row.appid ?? undefined, field: row.field ?? undefined };
}

export class CallRows {
  readonly #tables: Kysely<PlatformTables>;

  constructor(sql: Sql) {
    this.#tables = tablesOf(sql);
  }

  async add(call: CallRecord): Promise<void> {
    await this.#tables
      .insertInto("platform_calls")
      .values({
        rid: call.rid,
        appid: call.appid ?? null,
        at: call.atMs,
        cost_ms: call.costMs,
        method: call.method,
        path: call.path,
        url: call.url,
        request_body: call.requestBody,
        response_body: call.responseBody,
        client_ip: call.clientIp,
        errcode: call.errcode,
        field: call.field ?? null,
      })
      .execute();
  }

  async find(rid: string): Promise<CallRecord | undefined> {
    const row = await this.#tables
      .selectFrom("platform_calls")
      .select(COLUMNS)
      .where("rid", "=", rid)
      .executeTakeFirst();
    return row && toCall(row);
  }

  /** Newest first; of one account, or all. */
  async list(appid: string | undefined, limit: number): Promise<readonly CallRecord[]> {
    const all = this.#tables.selectFrom("platform_calls").select(COLUMNS);
    const rows = await (appid === undefined ? all : all.where("appid", "=", appid))
      .orderBy("at", "desc")
      .orderBy("rid", "desc")
      .limit(limit)
      .execute();
    return rows.map(toCall);
  }

  async removeBefore(ms: number): Promise<void> {
    await this.#tables.deleteFrom("platform_calls").where("at", "<", ms).execute();
  }

  /** Leaves the newest `keep` calls of an account, or of those that were nobody's. */
  async trim(appid: string | undefined, keep: number): Promise<void> {
    await this.#tables
      .deleteFrom("platform_calls")
      .where("rid", "in", ({ selectFrom }) =>
        selectFrom("platform_calls")
          .select("rid")
          .where("appid", appid === undefined ? "is" : "=", appid ?? null)
          .orderBy("at", "desc")
          .orderBy("rid", "desc")
          .limit(REST)
          .offset(keep),
      )
      .execute();
  }
}
