import type { AccountCall } from "../../../accounts/guards.ts";
import type { ConsoleDoorServices } from "../services.ts";
import type { Doer } from "../work/box-work.ts";

/** Whoever is signed in, or an operator's token. */
export function doerOf(
  { audit }: Pick<ConsoleDoorServices, "audit">,
  { accountId, principal }: AccountCall,
): Doer {
  return {
    accountId,
    who: async () => ({ userId: principal.userId, name: principal.name }),
    note: (action, target, detail) => audit.write({ principal, accountId, action, target, detail }),
  };
}
