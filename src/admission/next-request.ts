import type { NanoUsd } from "../catalogue/money.ts";
import { isUsedUp, type Scope } from "./judge.ts";

/** What a scope would let one more request cost, however much it could use; null for any amount. */
function roomIn(scope: Scope, hard: boolean): NanoUsd | null {
  if (isUsedUp(scope, 1n)) return 0n;
  // Where nobody runs, a soft scope is judged by what was used before: the request goes alone.
  if (!hard && scope.held === 0n) return null;
  const left = scope.max - scope.used - scope.held;
  return left > 0n ? left : 0n;
}

/**
 * The most that the next request may cost as things stand, by all that it is given from its beginning
 * to its end; null where nothing bounds it. It is what `judge` and `judgeRaise` come to for a request
 * that could use any amount, while nobody else begins or ends.
 */
export function nextRequestMax(scopes: readonly Scope[], hard: boolean): NanoUsd | null {
  let most: NanoUsd | null = null;
  for (const scope of scopes) {
    const room = roomIn(scope, hard);
    if (room !== null && (most === null || room < most)) most = room;
  }
  return most;
}
