import type { Operation } from "../lib/contract.ts";
import type { Accounts } from "./accounts.ts";
import { GET_AUTHORIZER_TOKEN, GET_COMPONENT_TOKEN } from "./contract/tokens.ts";
import type { OpenCall, OpenEndpoint } from "./open-endpoint.ts";
import { PlatformError } from "./platform-error.ts";
import { textMember } from "./protocol/fields.ts";
import { type JsonObject, wireObject } from "./protocol/json.ts";
import { newTokenText, type Tokens } from "./tokens.ts";

interface ComponentServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
}

const LIFE_S = 7_200;
const TICKET_INVALID = 61006;

/**
 * A third party's own token. Third parties are not registered here, so one is taken at its word: what
 * it may do depends on what an account has authorised it to.
 */
async function giveComponentToken(_: ComponentServices, call: OpenCall): Promise<JsonObject> {
  const body = wireObject(call.json());
  if (textMember(body, "component_appid") === "") throw new PlatformError(41002);
  if (textMember(body, "component_appsecret") === "") throw new PlatformError(41004);
  if (textMember(body, "component_verify_ticket") === "") throw new PlatformError(TICKET_INVALID);
  return { component_access_token: newTokenText(), expires_in: LIFE_S };
}

/** The third party's own token is taken as it is; the refresh token must be one that was given out. */
async function giveAuthorizerToken(
  { accounts, tokens }: ComponentServices,
  call: OpenCall,
): Promise<JsonObject> {
  const component = call.query.get("access_token") || call.query.get("component_access_token");
  if (!component) throw new PlatformError(41001);
  const body = wireObject(call.json());
  const appid = textMember(body, "authorizer_appid");
  if (textMember(body, "component_appid") === "" || appid === "") throw new PlatformError(41002);
  if ((await accounts.find(appid)) === undefined) throw new PlatformError(40013);
  call.concerns(appid);
  const refreshToken = textMember(body, "authorizer_refresh_token");
  const { token, expiresInS } = await tokens.refresh(appid, refreshToken);
  return {
    authorizer_access_token: token,
    expires_in: expiresInS,
    authorizer_refresh_token: refreshToken,
  };
}

/** What a third party calls before it calls for an account. */
export function componentEndpoints(services: ComponentServices): readonly OpenEndpoint[] {
  const at = (
    operation: Operation,
    answer: (services: ComponentServices, call: OpenCall) => Promise<JsonObject>,
  ): OpenEndpoint => ({ operation, open: true, answer: (call) => answer(services, call) });
  return [
    at(GET_COMPONENT_TOKEN, giveComponentToken),
    at(GET_AUTHORIZER_TOKEN, giveAuthorizerToken),
  ];
}
