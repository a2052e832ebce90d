import { RateFault } from "../../ledger/refusal.ts";
import { Fault } from "../../lib/faults.ts";
import type { BudgetRefusal, FairBudget } from "../../lib/threads/fair-budget.ts";

/** The refusal of a request whose bytes the gateway cannot hold. */
export function bufferFull(why: BudgetRefusal, budget: FairBudget, accountId: string): Fault {
  if (why === "share") return shareUsedUp(budget, accountId);
  return new Fault(
    "overloaded",
    "The gateway holds as many request bytes as it may. Try again shortly.",
    {
      headers: { "retry-after": "1" },
    },
  );
}

/** The account's own requests are in the way and others are served, so this is a limit and no overload. */
function shareUsedUp(budget: FairBudget, accountId: string): RateFault {
  const { taken, max } = budget.shareOf(accountId);
  return new RateFault(
    `The requests of this account hold ${taken} bytes until they are answered; at the moment they may hold ${max}. ` +
      "Please try again in 1s.",
    {
      scope: "bytes_in_flight",
      period: null,
      used: BigInt(taken),
      max: BigInt(max),
      left: null,
      needed: null,
      fix: "Send it again once some of them are answered, or send fewer large ones at once.",
      resetsAtMs: null,
    },
    { "retry-after": "1", "retry-after-ms": "1000", "x-faregate-limit": "bytes" },
  );
}
