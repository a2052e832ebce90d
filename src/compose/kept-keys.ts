import type { Accounts } from "../accounts/accounts.ts";
import type { AuditLog } from "../accounts/audit.ts";
import { KeptKeys } from "../accounts/keys/kept-keys.ts";
import type { KeyRights } from "../accounts/keys/key-rights.ts";
import { PersonalKeys } from "../accounts/keys/personal-keys.ts";
import { hashSecret } from "../accounts/keys/secret.ts";
import { KeptKeyRows } from "../accounts/tables/kept-keys.ts";
import type { Clock } from "../lib/clock.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { Store } from "../store/store.ts";

/** Keys that the installation itself calls with from the command line. */
export function openKeptKeys(
  store: Pick<Store, "accounts" | "sql">,
  accounts: Accounts,
  vault: Vault,
): KeptKeys {
  return new KeptKeys({
    store: new KeptKeyRows(store.sql),
    vault,
    createKey: (accountId, name) => accounts.createKey(accountId, { name, accountRead: true }),
    disableKey: (keyId) => store.accounts.updateKey(keyId, { enabled: false }),
    async isCurrent(secret) {
      const key = await store.accounts.findKey(hashSecret(secret));
      return key !== undefined && key.deletedAtMs === null && key.secretEndsAtMs === null;
    },
  });
}

interface PersonalParts {
  readonly accounts: Accounts;
  readonly vault: Vault;
  readonly rights: KeyRights;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** Keys that the console calls with for people who are signed in. */
export function openPersonalKeys(
  { accounts: keys, sql }: Pick<Store, "accounts" | "sql">,
  parts: PersonalParts,
): PersonalKeys {
  return new PersonalKeys({ ...parts, store: new KeptKeyRows(sql), keys });
}
