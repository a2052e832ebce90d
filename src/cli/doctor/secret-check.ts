import type { Config } from "../../config/config.ts";
import { findOwnSecret } from "../../lib/secrets/secret-file.ts";
import { fitOf } from "../../store/secret/secret-fit.ts";
import { SecretRow } from "../../store/secret/secret-row.ts";
import type { Store } from "../../store/store.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "database";

/** Whether what lies sealed in the database can be opened with the secret of these settings. */
export async function secretCheck({ sql }: Store, config: Config): Promise<Finding[]> {
  const state = await new SecretRow(sql).find();
  // Before the first start nothing is sealed.
  if (!state) return [];
  switch (fitOf(state, config.secret ?? findOwnSecret(config.dataDir))) {
    case "fits":
      return [found(CHECK, "ok", "secretFits")];
    case "missing":
      return [found(CHECK, "problem", "secretMissing")];
    case "another":
      return [found(CHECK, "problem", "secretOther")];
    case "changing":
      return [found(CHECK, "problem", "secretChanging")];
  }
}
