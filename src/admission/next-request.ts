import type { Leeway } from "../accounts/account.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import { isUsedUp, leewayIn, leftIn, type Scope } from "./judge.ts";

/** What a scope would let one more request cost, however much it could use. */
function allowanceIn(scope: Scope, leeway: Leeway): NanoUsd {
  if (isUsedUp(scope, 1n, leeway)) return 0n;
  const left = leftIn(scope, leeway);
  // Where nobody runs, the request is alone.
  if (scope.held === 0n) return left + leewayIn(scope, leeway);
  return left > 0n ? left : 0n;
}

/**
 * The most that the next request may cost as things stand, by all that it is given from its beginning
 * to its end; null where it has no scopes. It is what `judge` and `judgeRaise` come to for a request
 * that could use any amount, while nobody else begins or ends.
 */
export function nextRequestMax(scopes: readonly Scope[], leeway: Leeway): NanoUsd | null {
  let most: NanoUsd | null = null;
  for (const scope of scopes) {
    const allowance = allowanceIn(scope, leeway);
    if (most === null || allowance < most) most = allowance;
  }
  return most;
}
