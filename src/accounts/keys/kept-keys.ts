import { openedBy, type Vault } from "../../lib/secrets/vault.ts";
import type { CreatedKey } from "../accounts.ts";
import type { KeptKeyRows } from "../tables/kept-keys.ts";

interface Parts {
  readonly store: KeptKeyRows;
  readonly vault: Vault;
  /** An ordinary key of the account, under this name; undefined where there is no such account. */
  createKey(accountId: string, name: string): Promise<CreatedKey | undefined>;
  disableKey(keyId: string): Promise<unknown>;
  /** Whether a key has this secret still: it was neither deleted nor given another one. */
  isCurrent(secret: string): Promise<boolean>;
}

/**
 * Keys with which this installation calls itself on behalf of those who have none at hand: people in
 * the console, and whoever types commands beside the server. They are ordinary keys of the account,
 * seen, limited and disabled like others; only their secret is kept, sealed.
 */
export class KeptKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The secret of the account's key for this purpose, which is made at its first use. */
  async secretOf(accountId: string, purpose: string): Promise<string> {
    const { store, vault, createKey, disableKey, isCurrent } = this.#parts;
    const known = await store.find(accountId, purpose);
    if (known) {
      const secret = openedBy(vault, known.sealedSecret);
      if (secret !== undefined && (await isCurrent(secret))) return secret;
      // Nobody can bring it back; without another one the door would stay shut for good.
      await store.remove(known);
      // Nobody else was ever told a secret that cannot be opened any more.
      if (secret === undefined) await disableKey(known.keyId);
    }
    const made = await createKey(accountId, purpose);
    if (!made) throw new Error(`there is no account ${accountId}`);
    const sealedSecret = vault.seal(made.key);
    if (await store.add({ accountId, purpose, keyId: made.id, sealedSecret })) return made.key;
    // Somebody was quicker; a second key would only confuse those who read the list.
    await disableKey(made.id);
    return this.secretOf(accountId, purpose);
  }
}
