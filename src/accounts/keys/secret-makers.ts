import type { Clock } from "../../lib/clock.ts";
import type { AccountsStore } from "../store.ts";
import type { SecretMaker, SecretMakersTable } from "../tables/secret-makers.ts";
import { hashSecret } from "./secret.ts";

interface Parts {
  readonly table: SecretMakersTable;
  readonly keys: Pick<AccountsStore, "findKey">;
  readonly clock: Clock;
}

/**
 * Who knows the secrets by which keys can be called: whoever makes a key or has another secret of it sees it, and nobody
 * else ever does. Whether one still works is for the keys to say, so there is nothing here to keep in step with them.
 */
export class SecretMakers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the secret opens the key, and before it is told. Those of the key that work no more are forgotten. */
  async note(keyId: string, secret: string, userId: string): Promise<void> {
    const { table } = this.#parts;
    await table.set({ hash: hashSecret(secret), keyId, userId });
    for (const known of await table.ofKey(keyId)) {
      if (!(await this.#works(known))) await table.remove(known.hash);
    }
  }

  /** Of a secret that was told to nobody. */
  forget(secret: string): Promise<void> {
    return this.#parts.table.remove(hashSecret(secret));
  }

  /** Somebody answers for a secret from now on that was another's. */
  give(known: SecretMaker, userId: string): Promise<void> {
    return this.#parts.table.set({ ...known, userId });
  }

  /** Those that open the key now and are of others than its maker, who is asked about anyway. */
  async othersOf(keyId: string, maker: string | undefined): Promise<readonly SecretMaker[]> {
    const known = await this.#parts.table.ofKey(keyId);
    return this.#working(known.filter(({ userId }) => userId !== maker));
  }

  /** The keys that somebody can call by a secret of their own. */
  async keysOf(userId: string): Promise<readonly string[]> {
    const working = await this.#working(await this.#parts.table.ofUser(userId));
    return working.map(({ keyId }) => keyId);
  }

  makers(): Promise<readonly string[]> {
    return this.#parts.table.makers();
  }

  async #working(known: readonly SecretMaker[]): Promise<readonly SecretMaker[]> {
    const working: SecretMaker[] = [];
    for (const secret of known) if (await this.#works(secret)) working.push(secret);
    return working;
  }

  async #works({ hash }: SecretMaker): Promise<boolean> {
    const { keys, clock } = this.#parts;
    const found = await keys.findKey(hash);
    return found !== undefined && (found.secretEndsAtMs ?? Number.POSITIVE_INFINITY) > clock();
  }
}
