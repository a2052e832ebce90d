import type { Config } from "../config/config.ts";
import { findOwnSecret, makeOwnSecret, removeOwnSecret } from "../lib/secrets/secret-file.ts";
import { openVault, type Vault } from "../lib/secrets/vault.ts";
import { sumOf } from "../store/secret/secret-fit.ts";
import { SecretRow } from "../store/secret/secret-row.ts";
import type { Store } from "../store/store.ts";
import { SecretError } from "./secret-error.ts";

const ANOTHER =
  "This database was sealed with another secret. Set FAREGATE_SECRET, or put the file secret.key back, as the " +
  'servers had it when they last ran. Where that one is lost, "faregate secret accept" goes on with this one: ' +
  "what was sealed before stays unreadable.";

const MISSING =
  "This database was sealed with a secret, and there is none here. Set FAREGATE_SECRET, or put the file secret.key " +
  'back, as the servers had it when they last ran. Where it is lost, "faregate secret accept" goes on with a new ' +
  "one: what was sealed before stays unreadable.";

/** Whoever uses the secret asks this first: it must be the one, and a change that stopped half-way be finished. */
export async function checkSecret(store: Pick<Store, "sql">, vault: Vault): Promise<void> {
  const row = new SecretRow(store.sql);
  const mine = sumOf(vault);
  const state = (await row.find()) ?? (await row.begin(mine));
  if (state && state.nextSum !== null && !(state.resealed && state.nextSum === mine)) {
    throw new SecretError(
      state.resealed
        ? "The secret of this installation has been changed. Set FAREGATE_SECRET to the new one."
        : "A change of this installation's secret did not finish. Run " +
            '"faregate secret rotate" again, with the same settings. Where one of the two secrets is lost, "faregate ' +
            'secret accept" ends it: what was sealed with that one stays unreadable.',
    );
  }
  if (state?.sum === mine) return;
  if (state?.nextSum !== mine) throw new SecretError(ANOTHER);
  await row.save({ sum: mine, nextSum: null, resealed: false });
}

/**
 * The vault of the secret that is set, or of the folder's own. That one is made only for a database in which nothing
 * is sealed yet: beside any other it would be taken for the one that is missing.
 */
export async function checkedVault(
  store: Pick<Store, "sql">,
  { secret, dataDir }: Pick<Config, "secret" | "dataDir">,
): Promise<Vault> {
  const isMissing = () => (secret ?? findOwnSecret(dataDir)) === undefined;
  // Whoever has just made the row for this very folder had made the file before.
  if (isMissing() && (await new SecretRow(store.sql).find()) && isMissing()) {
    throw new SecretError(MISSING);
  }
  // One that somebody else has made meanwhile may have sealed another database by now: it is not ours to remove.
  const isMade = secret === undefined && makeOwnSecret(dataDir);
  const vault = openVault(secret, dataDir);
  try {
    await checkSecret(store, vault);
  } catch (thrown) {
    // Another server was a moment faster, with a folder of its own.
    if (isMade && thrown instanceof SecretError) removeOwnSecret(dataDir);
    throw thrown;
  }
  return vault;
}
