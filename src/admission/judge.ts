import type { NanoUsd } from "../catalogue/money.ts";

/** A balance (max = credited, used = charged) or a budget, as it stands now. */
export interface Scope {
  readonly id: string;
  readonly kind: "balance" | "budget";
  readonly max: NanoUsd;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
}

export type Verdict<Judged extends Scope = Scope> =
  | { readonly kind: "admit"; readonly hold: NanoUsd; readonly left: NanoUsd | null }
  | { readonly kind: "exceeded"; readonly scope: Judged }
  | { readonly kind: "wait"; readonly scope: Judged };

function isUsedUp(scope: Scope, wanted: NanoUsd): boolean {
  // A budget that is exactly spent still admits; a prepaid balance of zero admits what is free.
  return scope.kind === "budget" ? scope.used > scope.max : scope.used >= scope.max && wanted > 0n;
}

/**
 * May a request that wants to hold `wanted` go ahead? In this order: a scope that is used up
 * refuses; enough left everywhere admits; a scope that is short while others hold money in it makes
 * the request wait for them; a scope that is short on its own admits with what is left, so that a
 * lone request is judged by what was spent and never by what was guessed.
 */
export function judge<Judged extends Scope>(
  scopes: readonly Judged[],
  wanted: NanoUsd,
): Verdict<Judged> {
  const usedUp = scopes.find((scope) => isUsedUp(scope, wanted));
  if (usedUp) return { kind: "exceeded", scope: usedUp };
  if (wanted === 0n) return { kind: "admit", hold: 0n, left: null };

  let left: NanoUsd | null = null;
  for (const scope of scopes) {
    const scopeLeft = scope.max - scope.used - scope.held;
    if (scopeLeft < wanted && scope.held > 0n) return { kind: "wait", scope };
    if (left === null || scopeLeft < left) left = scopeLeft;
  }
  if (left === null || wanted <= left) return { kind: "admit", hold: wanted, left };
  return { kind: "admit", hold: left > 1n ? left : 1n, left };
}
