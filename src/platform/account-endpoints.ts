import type { CallLog } from "./call-log.ts";
import {
  CLEAR_QUOTA,
  LIST_API_ADDRESSES,
  LIST_CALLBACK_ADDRESSES,
  SHOW_CALL,
  SHOW_QUOTA,
} from "./contract/account.ts";
import { type Endpoint, endpointsWith, OK, type PlatformCall } from "./endpoint.ts";
import { PlatformError } from "./platform-error.ts";
import { type JsonObject, member, wireObject } from "./protocol/json.ts";
import { RID } from "./protocol/rid.ts";
import { DAILY_QUOTAS } from "./quotas.ts";
import type { Quotas } from "./tables/quotas.ts";
import type { CallRecord } from "./tables/schema.ts";

interface AccountServices {
  readonly quotas: Quotas;
  readonly calls: CallLog;
  /** The endpoint of a path, for its quota. */
  endpointAt(path: string): Pick<Endpoint, "quota"> | undefined;
}

/** Of any kind: these calls tell an account about itself. */
const SETS = [1, 7, 11, 100];
/** What an endpoint without a quota of its own may be called, by its answer to who asks. */
const UNCOUNTED = 5_000_000;
const ADDRESSES: JsonObject = { ip_list: ["127.0.0.1"] };

async function clearQuota({ quotas }: AccountServices, call: PlatformCall): Promise<JsonObject> {
  if (member(wireObject(call.json()), "appid") !== call.account.appid)
    throw new PlatformError(40013);
  if (!(await quotas.clear(call.account.appid, call.nowMs))) throw new PlatformError(48006);
  return OK;
}

async function showQuota(services: AccountServices, call: PlatformCall): Promise<JsonObject> {
  const path = member(wireObject(call.json()), "cgi_path");
  const endpoint = typeof path === "string" ? services.endpointAt(path) : undefined;
  if (endpoint === undefined) throw new PlatformError(76021);
  const { quota } = endpoint;
  const limit = quota === undefined ? UNCOUNTED : DAILY_QUOTAS[quota];
  const used =
    quota === undefined ? 0 : await services.quotas.used(call.account.appid, quota, call.nowMs);
  return {
    ...OK,
    quota: { daily_limit: limit, used, remain: Math.max(0, limit - used) },
    rate_limit: { call_count: limit, refresh_second: 86_400 },
  };
}

function callToJson(record: CallRecord): JsonObject {
  return {
    invoke_time: Math.floor(record.at / 1000),
    cost_in_ms: record.cost_ms,
    request_url: record.url,
    request_body: record.request_body,
    response_body: record.response_body,
    client_ip: record.client_ip,
  };
}

async function showCall({ calls }: AccountServices, call: PlatformCall): Promise<JsonObject> {
  const rid = member(wireObject(call.json()), "rid");
  const seconds = typeof rid === "string" ? RID.exec(rid)?.[1] : undefined;
  if (typeof rid !== "string" || seconds === undefined) throw new PlatformError(76002);
  const atMs = Number.parseInt(seconds, 16) * 1000;
  if (!calls.reaches(atMs, call.nowMs)) throw new PlatformError(76004);
  const record = await calls.find(rid);
  if (record === undefined) throw new PlatformError(76001);
  if (record.appid !== call.account.appid) throw new PlatformError(76003);
  return { ...OK, request: callToJson(record) };
}

export function accountEndpoints(services: AccountServices): readonly Endpoint[] {
  const at = endpointsWith(services, SETS);
  return [
    at(CLEAR_QUOTA, clearQuota),
    at(SHOW_QUOTA, showQuota),
    at(SHOW_CALL, showCall),
    at(LIST_API_ADDRESSES, async () => ADDRESSES),
    at(LIST_CALLBACK_ADDRESSES, async () => ADDRESSES),
  ];
}
