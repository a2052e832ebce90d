import type { TokenKey } from "../tables/tokens.ts";
import { type SuppliedCredential, staleTokenFix, type TokenHolder } from "./credential.ts";
import type { Reply } from "./platform-http.ts";
import { withoutToken } from "./refusal.ts";
import { type Grant, readGrant, type TokenParts, type TokenShelf } from "./token-shelf.ts";

type Holder = TokenHolder<SuppliedCredential>;
type Source = NonNullable<SuppliedCredential["source"]>;

/**
 * Tokens that somebody else keeps. The platform's own token call is never made for them: it could end
 * the token that everybody else uses.
 */
export class SuppliedTokens {
  readonly #parts: TokenParts;
  readonly #shelf: TokenShelf;

  constructor(parts: TokenParts, shelf: TokenShelf) {
    this.#parts = parts;
    this.#shelf = shelf;
  }

  /** What was handed to us comes first; where there is none any more, the source is asked. */
  async get(holder: Holder): Promise<Reply<string>> {
    const { grants, vault, clock } = this.#parts;
    const { publicAccountId, source } = holder.credential;
    const handed = await grants.find(publicAccountId);
    const isGood = handed?.sealedToken && handed.tokenUntilMs > clock();
    if (handed?.sealedToken && isGood) {
      return { kind: "ok", value: vault.open(handed.sealedToken), platformTimeMs: undefined };
    }
    if (source) {
      const ask = () => this.#ask(source);
      return this.#shelf.get(this.#keyOf(holder, source), { calls: 1, ask });
    }
    const ended = handed?.sealedToken ? new Date(handed.tokenUntilMs).toISOString() : undefined;
    const message = ended
      ? `The token that was supplied has ended, at ${ended}.`
      : "No token has been supplied, or the platform refused the last one.";
    return withoutToken(message, staleTokenFix(holder.credential) ?? "");
  }

  async drop(holder: Holder, token: string): Promise<void> {
    const { grants, vault } = this.#parts;
    const { publicAccountId, source } = holder.credential;
    const sealed = (await grants.find(publicAccountId))?.sealedToken;
    if (sealed && vault.open(sealed) === token) await grants.dropToken(publicAccountId, sealed);
    if (source) await this.#shelf.drop(this.#keyOf(holder, source), token);
  }

  /** Directly, not by the account's proxy: that one is for the platform. */
  async #ask({ url, bearer }: Source): Promise<Reply<Grant>> {
    const { origin } = new URL(url);
    const reply = await this.#parts.wire.call({
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

  #keyOf({ box, appid }: Holder, { url, bearer }: Source): TokenKey {
    return { box, appid, secretSum: this.#shelf.secretSum(JSON.stringify([url, bearer])) };
  }
}
