import type { Accounts } from "./accounts/accounts.ts";
import { KeptKeys } from "./drafts/doors/kept-keys.ts";
import type { Vault } from "./lib/vault.ts";
import { KeptKeyRows } from "./store/console/draft-doors.ts";
import type { Store } from "./store/store.ts";

/** Keys that the installation itself calls with, in the console and from the command line. */
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
  });
}
