// Tokens that somebody else keeps. The platform's own token call is never made for them: it could end
// the token that everybody else uses.
import { type SuppliedCredential, staleTokenFix, type TokenHolder } from "./credential.ts";
import type { Reply } from "./platform-http.ts";
import { withoutToken } from "./refusal.ts";
import {
  type Grant,
  readGrant,
  type TokenCache,
  type TokenParts,
  type Way,
} from "./token-cache.ts";

/** What was handed to us, or that there is none any more. */
export async function handedToken(
  { grants, vault, clock }: TokenParts,
  credential: SuppliedCredential,
): Promise<Reply<string>> {
  const { sealedToken, tokenUntilMs = 0 } = (await grants.find(credential.publicAccountId)) ?? {};
  if (sealedToken && tokenUntilMs > clock()) {
    return { kind: "ok", value: vault.open(sealedToken), platformTimeMs: undefined };
  }
  const message = sealedToken
    ? `The token that was supplied has ended, at ${new Date(tokenUntilMs).toISOString()}.`
    : "No token has been supplied, or the platform refused the last one.";
  return withoutToken(message, staleTokenFix(credential) ?? "");
}

export async function dropHanded(
  { grants, vault }: TokenParts,
  { publicAccountId }: SuppliedCredential,
  token: string,
): Promise<void> {
  const sealed = (await grants.find(publicAccountId))?.sealedToken;
  if (sealed && vault.open(sealed) === token) await grants.dropToken(publicAccountId, sealed);
}

/** Asks whoever keeps the token, where there is an address for that. */
export function sourceWay(
  cache: TokenCache,
  holder: TokenHolder,
  { source }: SuppliedCredential,
): Way | undefined {
  if (!source) return undefined;
  const key = cache.keyOf(holder, JSON.stringify([source.url, source.bearer]));
  return { key, calls: 1, ask: () => askSource(cache.parts, source) };
}

/** Directly, not by the account's proxy: that one is for the platform. */
async function askSource(
  { wire }: TokenParts,
  { url, bearer }: NonNullable<SuppliedCredential["source"]>,
): Promise<Reply<Grant>> {
  const { origin } = new URL(url);
  const reply = await wire.call({
    ...{ platformUrl: url, path: "" },
    ...(bearer !== null && { bearer }),
    secrets: [url, ...(bearer === null ? [] : [bearer])],
    read: readGrant,
  });
  if (reply.kind === "ok") return reply;
  const words = reply.kind === "refused" ? reply.refusal.errmsg : reply.reason;
  const fix = 'Check token_url and token_bearer; it answers {"access_token", "expires_in"}.';
  return withoutToken(`The token source ${origin} gave no token: ${words}`, fix);
}
