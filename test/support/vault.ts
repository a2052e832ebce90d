import { createVault } from "../../src/lib/secrets/vault.ts";

export const VAULT = createVault("a secret of the tests that is long enough");
