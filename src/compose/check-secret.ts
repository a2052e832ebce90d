import type { Vault } from "../lib/secrets/vault.ts";
import { SecretRow } from "../store/secret/secret-row.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { SecretError } from "./secret-error.ts";

const SUM_CHARS = 22;

/** What tells one secret from another, and nothing about either. */
export const sumOf = (vault: Vault) => vault.derive("sum").slice(0, SUM_CHARS);

/** Whoever uses the secret asks this first: a change that stopped half-way must be finished. */
export async function checkSecret(
  store: Pick<Store, "sql">,
  vault: Vault,
  log?: Pick<Log, "warn">,
): Promise<void> {
  const row = new SecretRow(store.sql);
  const mine = sumOf(vault);
  const state = await row.find();
  if (state && state.nextSum !== null && !(state.resealed && state.nextSum === mine)) {
    throw new SecretError(
      state.resealed
        ? "The secret of this installation has been changed. Set FAREGATE_SECRET to the new one."
        : "A change of this installation's secret was begun and did not come to its end. Run " +
            '"faregate secret rotate" again, with the same settings.',
    );
  }
  if (state && state.nextSum === null && state.sum !== mine) {
    const fix = "what was sealed with another secret is not readable; set FAREGATE_SECRET to it";
    log?.warn("secret_is_another", { fix });
  }
  if (state?.sum !== mine) await row.save({ sum: mine, nextSum: null, resealed: false });
}
