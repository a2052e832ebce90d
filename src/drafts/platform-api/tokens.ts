import { componentWay } from "./component-tokens.ts";
import type { SecretCredential, SuppliedCredential, TokenHolder } from "./credential.ts";
import type { Reply } from "./platform-http.ts";
import { dropHanded, handedToken, sourceWay } from "./supplied-tokens.ts";
import { type Grant, readGrant, TokenCache, type TokenParts, type Way } from "./token-cache.ts";

/** Access tokens of public accounts, by whichever way each of them is had. */
export class Tokens {
  readonly #cache: TokenCache;

  constructor(parts: TokenParts) {
    this.#cache = new TokenCache(parts);
  }

  /** The token that is stored and still good, or a new one. */
  async get(holder: TokenHolder): Promise<Reply<string>> {
    const { credential } = holder;
    if (credential.kind !== "supplied") return this.#cache.get(this.#wayOf(holder, credential));
    // What was handed to us comes first; where there is none any more, the source is asked.
    const handed = await handedToken(this.#cache.parts, credential);
    const source = sourceWay(this.#cache, holder, credential);
    return handed.kind === "ok" || !source ? handed : this.#cache.get(source);
  }

  /** The platform refused this token. Whoever has fetched a newer one meanwhile keeps it. */
  async drop(holder: TokenHolder, token: string): Promise<void> {
    const { credential } = holder;
    const isSupplied = credential.kind === "supplied";
    if (isSupplied) await dropHanded(this.#cache.parts, credential, token);
    const way = isSupplied
      ? sourceWay(this.#cache, holder, credential)
      : this.#wayOf(holder, credential);
    if (way) await this.#cache.drop(way.key, token);
  }

  /**
   * Whether a token is to be had. The platform is asked now, whatever is stored, where that changes
   * nothing: the stable kind gives the same token again.
   */
  check(holder: TokenHolder): Promise<Reply<unknown>> {
    const { credential } = holder;
    return credential.kind === "secret" ? this.#ask(holder, credential) : this.get(holder);
  }

  #wayOf(
    holder: TokenHolder,
    credential: Exclude<TokenHolder["credential"], SuppliedCredential>,
  ): Way {
    if (credential.kind === "component") return componentWay(this.#cache, holder, credential);
    const ask = () => this.#ask(holder, credential);
    return { key: this.#cache.keyOf(holder, credential.secret), calls: 1, ask };
  }

  /** Always the stable kind: it leaves the tokens of others alone. */
  #ask(
    { platformUrl, isBuiltIn, proxy, appid }: TokenHolder,
    { secret }: SecretCredential,
  ): Promise<Reply<Grant>> {
    return this.#cache.parts.wire.call({
      ...{ platformUrl, isBuiltIn, proxy },
      path: "/cgi-bin/stable_token",
      json: { grant_type: "client_credential", appid, secret },
      secrets: [secret],
      read: readGrant,
    });
  }
}
