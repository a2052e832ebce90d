import { retryWrite } from "../../lib/retry.ts";
import type { ComponentCredential, TokenHolder } from "./credential.ts";
import type { JsonRecord, Reply } from "./platform-http.ts";
import { withoutToken } from "./refusal.ts";
import {
  type Grant,
  grantOf,
  NO_TOKEN_IN_TIME,
  type TokenCache,
  type TokenParts,
  type Way,
} from "./token-cache.ts";

/** The component's token, asked for twice at most, and the account's by each of them. */
const CALLS_MAX = 4;
/** So long a new refresh token is written again: the old one is of no use any more. */
const SAVE_RETRY_MS = 10_000;

interface AuthorizerGrant extends Grant {
  /** Another one than before, sometimes; the old one is of no use then. */
  readonly refreshToken: string | undefined;
}

function readComponentGrant(answer: JsonRecord): Grant | undefined {
  return grantOf(answer.component_access_token, answer.expires_in);
}

function readAuthorizerGrant(answer: JsonRecord): AuthorizerGrant | undefined {
  const { authorizer_access_token, expires_in, authorizer_refresh_token: refresh } = answer;
  const grant = grantOf(authorizer_access_token, expires_in);
  return (
    grant && {
      ...grant,
      refreshToken: typeof refresh === "string" && refresh ? refresh : undefined,
    }
  );
}

/** Tokens that a third-party platform has for a public account which has authorised it. */
export function componentWay(
  cache: TokenCache,
  holder: TokenHolder,
  credential: ComponentCredential,
): Way {
  const { publicAccountId, componentAppid, componentSecret } = credential;
  // With the row's id: who knows the component does not meet a token that another one was granted.
  const secret = JSON.stringify([publicAccountId, componentAppid, componentSecret]);
  return {
    key: cache.keyOf(holder, secret),
    calls: CALLS_MAX,
    ask: (renew) => refresh(cache, holder, credential, renew),
  };
}

/** Called by one process at a time, so that nobody uses a refresh token that is being replaced. */
async function refresh(
  cache: TokenCache,
  holder: TokenHolder,
  credential: ComponentCredential,
  renew: () => Promise<boolean>,
): Promise<Reply<Grant>> {
  const { componentAppid: appid, componentSecret } = credential;
  // The component's own; all public accounts that it has share it.
  const key = cache.keyOf({ box: holder.box, appid }, componentSecret);
  const ask = () => askComponent(cache.parts, holder, credential);
  for (let isRetry = false; ; isRetry = true) {
    const component = await cache.get({ key, calls: 1, ask });
    if (component.kind !== "ok") return component;
    // Waiting for the component's token may have taken longer than the turn lasts.
    if (!(await renew())) return NO_TOKEN_IN_TIME;
    const reply = await askAuthorizer(cache.parts, holder, credential, component.value);
    const isStale = reply.kind === "refused" && reply.refusal.class === "token";
    if (isRetry || !isStale) return reply;
    await cache.drop(key, component.value);
  }
}

async function askComponent(
  { grants, vault, wire }: TokenParts,
  { platformUrl, isBuiltIn, proxy }: TokenHolder,
  { publicAccountId, componentAppid, componentSecret }: ComponentCredential,
): Promise<Reply<Grant>> {
  const sealed = (await grants.find(publicAccountId))?.sealedTicket;
  if (!sealed) {
    const fix = `Hand on what the platform pushes: PUT /v1/wechat/accounts/${publicAccountId}/ticket.`;
    return withoutToken("There is no component_verify_ticket yet.", fix);
  }
  const ticket = vault.open(sealed);
  return wire.call({
    ...{ platformUrl, isBuiltIn, proxy },
    path: "/cgi-bin/component/api_component_token",
    json: {
      component_appid: componentAppid,
      component_appsecret: componentSecret,
      component_verify_ticket: ticket,
    },
    secrets: [componentSecret, ticket],
    read: readComponentGrant,
  });
}

async function askAuthorizer(
  { grants, vault, wire, steady }: TokenParts,
  { platformUrl, isBuiltIn, proxy, appid }: TokenHolder,
  { publicAccountId, componentAppid }: ComponentCredential,
  componentToken: string,
): Promise<Reply<Grant>> {
  // Read anew: another process may have been given a newer one.
  const sealed = (await grants.find(publicAccountId))?.sealedRefresh;
  if (!sealed) {
    const fix = "Set authorizer_refresh_token, which comes with the account's authorisation.";
    return withoutToken("There is no authorizer_refresh_token yet.", fix);
  }
  const refreshToken = vault.open(sealed);
  const reply = await wire.call({
    ...{ platformUrl, isBuiltIn, proxy },
    path: "/cgi-bin/component/api_authorizer_token",
    query: { access_token: componentToken },
    json: {
      component_appid: componentAppid,
      authorizer_appid: appid,
      authorizer_refresh_token: refreshToken,
    },
    secrets: [componentToken, refreshToken],
    read: readAuthorizerGrant,
  });
  if (reply.kind !== "ok") return reply;
  const { refreshToken: newer } = reply.value;
  if (newer !== undefined && newer !== refreshToken) {
    const save = () => grants.saveRefresh(publicAccountId, vault.seal(newer), sealed);
    await retryWrite(save, steady, steady() + SAVE_RETRY_MS);
  }
  return reply;
}
