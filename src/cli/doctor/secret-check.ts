import { sumOf } from "../../compose/check-secret.ts";
import type { Config } from "../../config/config.ts";
import { findOwnSecret } from "../../lib/secrets/secret-file.ts";
import { createVault } from "../../lib/secrets/vault.ts";
import { SecretRow } from "../../store/secret/secret-row.ts";
import type { Store } from "../../store/store.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "database";

/** Whether what lies sealed in the database can be opened with the secret of these settings. */
export async function secretCheck({ sql }: Store, config: Config): Promise<Finding[]> {
  const state = await new SecretRow(sql).find();
  // Before the first start nothing is sealed.
  if (!state) return [];
  const secret = config.secret ?? findOwnSecret(config.dataDir);
  if (secret === undefined) return [found(CHECK, "problem", "secretMissing")];
  const mine = sumOf(createVault(secret));
  const { sum, nextSum, resealed } = state;
  if (nextSum !== null && !resealed) return [found(CHECK, "problem", "secretChanging")];
  const fits = mine === (nextSum ?? sum);
  return [fits ? found(CHECK, "ok", "secretFits") : found(CHECK, "problem", "secretOther")];
}
