import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { OperatorToken } from "./person.ts";
import { hashSecret, newSecret, OPERATOR_TOKEN_PREFIX } from "./secret.ts";
import type { OperatorTokensStore } from "./store.ts";

/** Secrets with which programs do what the operator may do. */
export class OperatorTokens {
  readonly #store: OperatorTokensStore;
  readonly #clock: Clock;

  constructor(store: OperatorTokensStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The secret is seen here and never again. */
  async create(name: string, createdBy: string): Promise<{ token: OperatorToken; secret: string }> {
    const secret = newSecret(OPERATOR_TOKEN_PREFIX);
    const token: OperatorToken = {
      id: newId("otk_"),
      name,
      lastFour: secret.slice(-4),
      createdBy,
      createdAtMs: this.#clock(),
      lastUsedAtMs: null,
    };
    await this.#store.add({ ...token, hash: hashSecret(secret) });
    return { token, secret };
  }

  async find(secret: string): Promise<OperatorToken | undefined> {
    if (!secret.startsWith(OPERATOR_TOKEN_PREFIX)) return undefined;
    return this.#store.use(hashSecret(secret), this.#clock());
  }

  list(): Promise<readonly OperatorToken[]> {
    return this.#store.list();
  }

  revoke(id: string): Promise<boolean> {
    return this.#store.revoke(id, this.#clock());
  }
}
