import { createVault } from "../../src/lib/vault.ts";

export const VAULT = createVault("a secret of the tests that is long enough");
