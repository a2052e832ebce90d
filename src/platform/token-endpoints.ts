import type { Operation } from "../lib/contract.ts";
import { isInRanges, plainAddress } from "../lib/net/networks.ts";
import type { PublicAccount } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { CLEAR_QUOTA_BY_SECRET, GET_STABLE_TOKEN, GET_TOKEN } from "./contract/tokens.ts";
import { OK } from "./endpoint.ts";
import type { OpenCall, OpenEndpoint } from "./open-endpoint.ts";
import { PlatformError } from "./platform-error.ts";
import { asFlag, textMember } from "./protocol/fields.ts";
import { type JsonObject, member, wireObject } from "./protocol/json.ts";
import type { Quotas } from "./tables/quotas.ts";
import type { IssuedToken, Tokens } from "./tokens.ts";

interface TokenServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
}

interface Claim {
  readonly appid: string;
  readonly secret: string;
  /** Undefined where the call has none. */
  readonly grantType?: string;
}

function refuseAddress({ networks }: PublicAccount, address: string): void {
  if (networks.length === 0 || isInRanges(address, networks)) return;
  const ip = plainAddress(address);
  const ipv6 = ip.includes(":") ? ip : `::ffff:${ip}`;
  throw new PlatformError(40164, undefined, `invalid ip ${ip} ipv6 ${ipv6}, not in whitelist`);
}

/** The account of an appid and its secret. The appid comes first, whatever else is missing. */
async function identify(
  { accounts }: TokenServices,
  call: OpenCall,
  { appid, secret, grantType }: Claim,
): Promise<PublicAccount> {
  if (appid === "") throw new PlatformError(41002);
  const account = await accounts.find(appid);
  if (account === undefined) throw new PlatformError(40013);
  call.concerns(appid);
  if (grantType !== undefined && grantType !== "client_credential") throw new PlatformError(40002);
  if (secret === "") throw new PlatformError(41004);
  if (!(await accounts.isSecret(appid, secret))) throw new PlatformError(40125);
  if (account.frozen) throw new PlatformError(40243);
  refuseAddress(account, call.address);
  return account;
}

function tokenAnswer({ token, expiresInS }: IssuedToken): JsonObject {
  return { access_token: token, expires_in: expiresInS };
}

async function giveToken(services: TokenServices, call: OpenCall): Promise<JsonObject> {
  const { query } = call;
  const { appid } = await identify(services, call, {
    appid: query.get("appid") ?? "",
    secret: query.get("secret") ?? "",
    grantType: query.get("grant_type") ?? "",
  });
  if (!(await services.quotas.count(appid, "token", call.nowMs))) throw new PlatformError(45009);
  return tokenAnswer(await services.tokens.issue(appid));
}

async function giveStableToken(services: TokenServices, call: OpenCall): Promise<JsonObject> {
  const body = wireObject(call.json());
  const { appid } = await identify(services, call, {
    appid: textMember(body, "appid"),
    secret: textMember(body, "secret"),
    grantType: textMember(body, "grant_type"),
  });
  if (!(await services.quotas.count(appid, "stable_token", call.nowMs)))
    throw new PlatformError(45009);
  const force = asFlag(member(body, "force_refresh")) === 1;
  return tokenAnswer(await services.tokens.stable(appid, force));
}

async function clearQuota(services: TokenServices, call: OpenCall): Promise<JsonObject> {
  const body = call.hasBody ? wireObject(call.json()) : {};
  const field = (name: string) => textMember(body, name) || (call.query.get(name) ?? "");
  const { appid } = await identify(services, call, {
    appid: field("appid"),
    secret: field("appsecret"),
  });
  if (!(await services.quotas.clear(appid, call.nowMs))) throw new PlatformError(48006);
  return OK;
}

export function tokenEndpoints(services: TokenServices): readonly OpenEndpoint[] {
  const at = (
    operation: Operation,
    answer: (services: TokenServices, call: OpenCall) => Promise<JsonObject>,
  ): OpenEndpoint => ({ operation, open: true, answer: (call) => answer(services, call) });
  return [
    at(GET_TOKEN, giveToken),
    at(GET_STABLE_TOKEN, giveStableToken),
    at(CLEAR_QUOTA_BY_SECRET, clearQuota),
  ];
}
