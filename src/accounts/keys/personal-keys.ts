import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { openedBy, type Vault } from "../../lib/secrets/vault.ts";
import type { Key } from "../account.ts";
import type { Accounts } from "../accounts.ts";
import type { AuditLog } from "../audit.ts";
import { type Principal, personOf } from "../guards.ts";
import type { AccountsStore } from "../store.ts";
import type { KeptKey, KeptKeyRows } from "../tables/kept-keys.ts";
import { hasExpired } from "./expiry.ts";
import type { KeyRights } from "./key-rights.ts";
import { hashSecret, newSecret } from "./secret.ts";

/** What the purposes of these keys begin with; who it is follows. */
const PURPOSE = "person ";
const NAME_CHARS_MAX = 100;
/** A key whose secret was changed by somebody, or cannot be opened any more, is replaced by a new one, once. */
const TRIES_MAX = 2;

interface Parts {
  readonly store: Pick<KeptKeyRows, "find" | "add" | "remove" | "keysFor">;
  readonly vault: Vault;
  readonly accounts: Pick<Accounts, "createKey">;
  readonly keys: Pick<AccountsStore, "findKey" | "describeKey" | "updateKey">;
  readonly rights: Pick<KeyRights, "noteMaker">;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

function purposeOf(principal: Principal): string {
  return `${PURPOSE}${personOf(principal) ?? "behind a token"}`;
}

/** Somebody may have ended it, as any key, on its page; there it is put right again. */
function checkUsable(key: Pick<Key, "id" | "enabled" | "expiresAtMs">, nowMs: number): void {
  if (key.enabled && !hasExpired(key, nowMs)) return;
  throw new Fault(
    "permission_denied",
    "The key that the console uses for your calls is disabled or has expired. Enable or extend it on its page.",
    { facts: { key_id: key.id } },
  );
}

/**
 * The key with which the console calls models for somebody who is signed in: one for each person in each
 * account. It is metered, limited and on receipts like any other, but nobody ever sees its secret, and
 * it is not in the list of keys, where people look for those that they have given to programs.
 */
export class PersonalKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The secret of the principal's key in this account, which is made at its first use. */
  async secretOf(accountId: string, principal: Principal): Promise<string> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const kept = await this.#keptFor(accountId, purposeOf(principal));
      const secret = openedBy(this.#parts.vault, kept.sealedSecret);
      if (secret === undefined) await this.#giveUp(kept);
      else if (await this.#isThere(kept, secret, principal)) return secret;
      else await this.#parts.store.remove(kept);
    }
    throw new Error(`no key can be made for ${principal.name} in ${accountId}`);
  }

  /** Which keys of these accounts are of this kind. */
  async idsIn(...accountIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.#parts.store.keysFor(accountIds, PURPOSE));
  }

  /** Nobody can use a key any more whose secret cannot be opened. One that somebody has ended is not replaced. */
  async #giveUp(kept: KeptKey): Promise<void> {
    const { store, keys, clock } = this.#parts;
    const key = await keys.describeKey(kept.keyId);
    const current = await store.find(kept.accountId, kept.purpose);
    // Somebody was quicker, and it is they who have disabled it.
    if (current?.keyId !== kept.keyId) return;
    if (key && key.deletedAtMs === null) checkUsable(key, clock());
    await store.remove(kept);
    await keys.updateKey(kept.keyId, { enabled: false });
  }

  /** The row comes before the key: so of two who come at once, and after a crash, there is one key. */
  async #keptFor(accountId: string, purpose: string): Promise<KeptKey> {
    const { store, vault } = this.#parts;
    const known = await store.find(accountId, purpose);
    if (known) return known;
    const sealedSecret = vault.seal(newSecret());
    const fresh = { accountId, purpose, keyId: newId("key_"), sealedSecret };
    if (await store.add(fresh)) return fresh;
    return (await store.find(accountId, purpose)) ?? fresh;
  }

  /** False where the key was deleted or has another secret by now, and cannot be used here any more. */
  async #isThere(kept: KeptKey, secret: string, principal: Principal): Promise<boolean> {
    const { keys, clock } = this.#parts;
    const hash = hashSecret(secret);
    const found = await keys.findKey(hash);
    if (!found && !(await keys.describeKey(kept.keyId))) {
      await this.#makeOnce(kept, secret, principal);
      return true;
    }
    // Who made it between the two looks has made it with this very secret.
    const known = found ?? (await keys.findKey(hash));
    if (!known || known.deletedAtMs !== null || known.secretEndsAtMs !== null) return false;
    checkUsable(known, clock());
    return true;
  }

  async #makeOnce(kept: KeptKey, secret: string, principal: Principal): Promise<void> {
    try {
      await this.#make(kept, secret, principal);
    } catch (thrown) {
      // Somebody was quicker; then it is there.
      if (!(await this.#parts.keys.findKey(hashSecret(secret)))) throw thrown;
    }
  }

  async #make({ accountId, keyId }: KeptKey, secret: string, principal: Principal): Promise<void> {
    const { accounts, rights, audit } = this.#parts;
    const name = `console: ${principal.name}`.slice(0, NAME_CHARS_MAX);
    await rights.noteMaker(keyId, principal);
    if (!(await accounts.createKey(accountId, { id: keyId, secret, name }))) {
      throw new Error(`there is no account ${accountId}`);
    }
    const detail = { name };
    await audit.write({ principal, accountId, action: "key.create", target: keyId, detail });
  }
}
