import { createVault, type Vault } from "../../lib/secrets/vault.ts";
import type { SecretState } from "./secret-row.ts";

const SUM_CHARS = 22;

/** What tells one secret from another, and nothing about either. */
export const sumOf = (vault: Vault) => vault.derive("sum").slice(0, SUM_CHARS);

/** What a secret is to the rows of a database; in the middle of a change no secret opens all of them. */
type SecretFit = "fits" | "missing" | "another" | "changing";

export function fitOf(state: SecretState | undefined, secret: string | undefined): SecretFit {
  if (!state) return "fits";
  const { sum, nextSum, resealed } = state;
  if (nextSum !== null && !resealed) return "changing";
  if (secret === undefined) return "missing";
  return sumOf(createVault(secret)) === (nextSum ?? sum) ? "fits" : "another";
}
