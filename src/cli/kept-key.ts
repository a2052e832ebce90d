import { checkedVault } from "../compose/check-secret.ts";
import { openKeptKeys } from "../compose/kept-keys.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import { accountsOf } from "./accounts-of.ts";
import { COMMAND_KEY } from "./command-key.ts";
import { mistake } from "./terminal/arguments.ts";

export async function keptKey(store: Store, config: Config): Promise<string> {
  const operator = await store.accounts.operatorAccount();
  if (!operator) throw mistake("noOperatorYet");
  const vault = await checkedVault(store, config);
  return openKeptKeys(store, accountsOf(store, config), vault).secretOf(operator.id, COMMAND_KEY);
}
