import type { TokenKey } from "../tables/tokens.ts";
import { ComponentTokens } from "./component-tokens.ts";
import type {
  ComponentCredential,
  Credential,
  SecretCredential,
  SuppliedCredential,
  TokenHolder,
} from "./credential.ts";
import type { Reply } from "./platform-http.ts";
import { SuppliedTokens } from "./supplied-tokens.ts";
import { type Grant, readGrant, type TokenParts, TokenShelf } from "./token-shelf.ts";

type SecretHolder = TokenHolder<SecretCredential>;

function hasKind<C extends Credential>(
  holder: TokenHolder,
  kind: C["kind"],
): holder is TokenHolder<C> {
  return holder.credential.kind === kind;
}

/** Access tokens of public accounts, by whichever way each of them is had. */
export class Tokens {
  readonly #parts: TokenParts;
  readonly #shelf: TokenShelf;
  readonly #supplied: SuppliedTokens;
  readonly #component: ComponentTokens;

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.#shelf = new TokenShelf(parts);
    this.#supplied = new SuppliedTokens(parts, this.#shelf);
    this.#component = new ComponentTokens(parts, this.#shelf);
  }

  /** The token that is stored and still good, or a new one. */
  async get(holder: TokenHolder): Promise<Reply<string>> {
    if (hasKind<SuppliedCredential>(holder, "supplied")) return this.#supplied.get(holder);
    if (hasKind<ComponentCredential>(holder, "component")) return this.#component.get(holder);
    const bySecret = holder as SecretHolder;
    const ask = () => this.#ask(bySecret);
    return this.#shelf.get(this.#keyOf(bySecret), { calls: 1, ask });
  }

  /** The platform refused this token. Whoever has fetched a newer one meanwhile keeps it. */
  async drop(holder: TokenHolder, token: string): Promise<void> {
    if (hasKind<SuppliedCredential>(holder, "supplied")) return this.#supplied.drop(holder, token);
    if (hasKind<ComponentCredential>(holder, "component")) {
      return this.#component.drop(holder, token);
    }
    await this.#shelf.drop(this.#keyOf(holder as SecretHolder), token);
  }

  /**
   * Whether a token is to be had. The platform is asked now, whatever is stored, where that changes
   * nothing: the stable kind gives the same token again.
   */
  check(holder: TokenHolder): Promise<Reply<unknown>> {
    return holder.credential.kind === "secret"
      ? this.#ask(holder as SecretHolder)
      : this.get(holder);
  }

  /** Always the stable kind: it leaves the tokens of others alone. */
  #ask({ platformUrl, proxy, appid, credential: { secret } }: SecretHolder): Promise<Reply<Grant>> {
    return this.#parts.wire.call({
      ...{ platformUrl, proxy },
      path: "/cgi-bin/stable_token",
      json: { grant_type: "client_credential", appid, secret },
      secrets: [secret],
      read: readGrant,
    });
  }

  #keyOf({ box, appid, credential: { secret } }: SecretHolder): TokenKey {
    return { box, appid, secretSum: this.#shelf.secretSum(secret) };
  }
}
