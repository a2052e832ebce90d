import type { Leeway } from "../accounts/account.ts";
import type { NanoUsd } from "../catalogue/money.ts";

/** A balance (max = credited, used = charged) or a budget, as it stands now. */
export interface Scope {
  readonly id: string;
  readonly kind: "balance" | "budget";
  readonly max: NanoUsd;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  /** Requests with a price that run in it: what is left has to do for all of them. */
  readonly running: bigint;
}

/** How much a request may cost, and with how little of it there is a point in letting it begin. */
export interface HoldTerms extends Leeway {
  /** The most that it can cost; zero for a model without a price. */
  readonly worst: NanoUsd;
  /** With less than this it waits for others to be done, or goes alone. */
  readonly floor: NanoUsd;
  /** With less than this it does not run where nothing may be passed. */
  readonly least: NanoUsd;
}

/** How much more a running request could do with. */
export interface RaiseTerms extends Leeway {
  /** The most that it can still cost beyond what it holds. */
  readonly need: NanoUsd;
  /** Less than this is not worth asking for again soon; it is given less only where no more is left. */
  readonly floor: NanoUsd;
}

export type Verdict<Judged extends Scope = Scope> =
  | {
      readonly kind: "admit";
      /** What it may cost: so much is held in every scope. */
      readonly allowance: NanoUsd;
      /** Of the scope that has the least; null when nothing limits the request. */
      readonly left: NanoUsd | null;
      /** Its allowance is more than some scope has left, which nobody else runs in. */
      readonly lone: boolean;
      /** The balance gives less than the budgets of its key would: so the allowance tells what an account has. */
      readonly byBalance: boolean;
    }
  | { readonly kind: "exceeded"; readonly scope: Judged }
  | {
      readonly kind: "short";
      readonly scope: Judged;
      readonly left: NanoUsd;
      readonly needed: NanoUsd;
    }
  | { readonly kind: "wait"; readonly scope: Judged };

export type RaiseVerdict<Judged extends Scope = Scope> =
  | { readonly kind: "granted"; readonly granted: NanoUsd; readonly lone: boolean }
  | { readonly kind: "wait"; readonly scope: Judged }
  | { readonly kind: "ended" };

const FREE = { kind: "admit", allowance: 0n, left: null, lone: false, byBalance: false } as const;
/** The default: no scope is passed. */
export const NO_LEEWAY: Leeway = { overdraft: 0n, hard: true, loneMax: 0n, loneLeast: 0n };
const ENDED = { kind: "ended" } as const;

/** Whoever takes all it could need leaves room for three more of its kind; a share is a quarter too. */
const SHARES = 4n;

/** All that may be used of a scope by requests that are not alone there. */
export function limitOf({ kind, max }: Scope, { overdraft }: Pick<Leeway, "overdraft">): NanoUsd {
  return kind === "balance" ? max + overdraft : max;
}

/** What a scope has left for those that are not alone there; below zero where a lone request holds more. */
export function leftIn(scope: Scope, leeway: Pick<Leeway, "overdraft">): NanoUsd {
  return limitOf(scope, leeway) - scope.used - scope.held;
}

/** By how much a request may pass a scope where it is alone. A balance is never passed. */
export function leewayIn(scope: Scope, { hard, loneMax, loneLeast }: Leeway): NanoUsd {
  if (hard || scope.kind === "balance") return 0n;
  return larger(smaller(loneMax, scope.max), loneLeast);
}

/** Whether a scope refuses whoever asks for something, whatever the others there do. */
export function isUsedUp(
  scope: Scope,
  wanted: NanoUsd,
  leeway: Pick<Leeway, "overdraft">,
): boolean {
  const limit = limitOf(scope, leeway);
  // A budget that is exactly spent still admits; a prepaid balance of zero admits what is free.
  return scope.kind === "budget" ? scope.used > limit : scope.used >= limit && wanted > 0n;
}

function smaller(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Of a scope that has at least `floor` left, but not plenty, what one of `sharers` may take. */
function shareOf(left: NanoUsd, most: NanoUsd, floor: NanoUsd, sharers: bigint): NanoUsd {
  return smaller(most, larger(floor, left / (SHARES * larger(sharers, 1n))));
}

/**
 * May a request go ahead, and how much may it cost? A scope that is used up refuses. One that has
 * plenty left gives the request all it could need, one that is tight a share. One that has less than
 * the floor has it wait for those who hold money there. Where nobody does, the request is alone and is
 * given what is left, of a soft budget with the leeway on top, if that does for an answer at all.
 *
 * The request may cost the least that any of its scopes gives. So all that is held in a scope is
 * within its limit, but for one request that passes a soft budget by the leeway at most.
 */
export function judge<Judged extends Scope>(
  scopes: readonly Judged[],
  terms: HoldTerms,
): Verdict<Judged> {
  const { worst } = terms;
  for (const scope of scopes) if (isUsedUp(scope, worst, terms)) return { kind: "exceeded", scope };
  if (worst <= 0n) return FREE;

  const floor = smaller(worst, larger(terms.floor, 1n));
  const needed = smaller(floor, larger(terms.least, 1n));
  const plenty = SHARES * worst;
  let allowance = worst;
  let ofBudgets = worst;
  let fewest: NanoUsd | null = null;
  let busy: Judged | undefined;
  for (const scope of scopes) {
    const left = leftIn(scope, terms);
    if (fewest === null || left < fewest) fewest = left;
    // Nearly all have: nothing is counted or shared there.
    if (left >= plenty) continue;
    let given = worst;
    if (left >= floor) given = shareOf(left, worst, floor, scope.running + 1n);
    else if (scope.held > 0n) busy ??= scope;
    else {
      given = left + leewayIn(scope, terms);
      if (given < needed) return { kind: "short", scope, left, needed };
    }
    allowance = smaller(allowance, given);
    if (scope.kind === "budget") ofBudgets = smaller(ofBudgets, given);
  }
  if (busy) return { kind: "wait", scope: busy };
  const lone = fewest !== null && allowance > fewest;
  return { kind: "admit", allowance, left: fewest, lone, byBalance: allowance < ofBudgets };
}

/**
 * How much more may a running request cost that holds `held` in each of these scopes? Another share,
 * or all that is left. Where nothing is, it waits for the others there; once it is alone it runs on in
 * a soft budget until all that it holds has come to the leeway beyond it, and is at its end in any
 * other scope.
 */
export function judgeRaise<Judged extends Scope>(
  scopes: readonly Judged[],
  held: NanoUsd,
  terms: RaiseTerms,
): RaiseVerdict<Judged> {
  const { need } = terms;
  const floor = larger(terms.floor, 1n);
  const plenty = SHARES * need;
  let granted = need;
  let lone = false;
  let busy: Judged | undefined;
  for (const scope of scopes) {
    if (isUsedUp(scope, need, terms)) return ENDED;
    const left = leftIn(scope, terms);
    if (left > 0n) {
      if (left >= plenty) continue;
      granted = smaller(granted, shareOf(left, need, smaller(floor, left), scope.running));
    } else if (scope.held > held) busy ??= scope;
    else {
      const most = left + leewayIn(scope, terms);
      if (most <= 0n) return ENDED;
      granted = smaller(granted, most);
      lone = true;
    }
  }
  return busy ? { kind: "wait", scope: busy } : { kind: "granted", granted, lone };
}

/**
 * The most that may be charged now for a request that holds nothing any more, since its hold was voided while its
 * process slept: others may have been given its money. Nothing is held or charged beyond what a lone request may.
 */
export function mostCorrected(scopes: readonly Scope[], charge: NanoUsd, leeway: Leeway): NanoUsd {
  let most = charge;
  for (const scope of scopes) {
    most = smaller(most, leftIn(scope, leeway) + leewayIn(scope, leeway));
  }
  return larger(most, 0n);
}
