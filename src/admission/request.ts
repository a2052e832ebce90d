import type { BudgetPeriod } from "../accounts/budget-window.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { RateLimits, RateSnapshot } from "./rates.ts";

/** One request that asks to be let through. */
export interface AdmissionRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly limits: RateLimits;
  /** Input tokens as estimated; they count into the rate window at once. */
  readonly inputTokens: number;
  /** False when this request was counted before and has waited since. */
  readonly countRate: boolean;
  /** The account or key for whose money others wait already, whom this request must not overtake. */
  readonly behind: string | null;
  /** The size of the hold. Zero for a model without a price. */
  readonly hold: NanoUsd;
  /** What the house loses if the process dies after dispatch. */
  readonly inputCost: NanoUsd;
  readonly model: string;
  readonly endpoint: string;
  readonly channel: string;
  readonly stream: boolean;
}

/** Which limit was passed, in numbers. */
export type ExceededScope =
  | { readonly scope: "balance"; readonly used: NanoUsd; readonly max: NanoUsd }
  | {
      readonly scope: "budget";
      readonly used: NanoUsd;
      readonly max: NanoUsd;
      readonly period: BudgetPeriod;
      /** Null for a budget that never starts anew. */
      readonly resetsAtMs: number | null;
    };

export type AdmissionOutcome =
  | {
      readonly kind: "admitted";
      readonly held: NanoUsd;
      /** What this request could spend before some scope is used up; null when nothing limits it. */
      readonly left: NanoUsd | null;
      readonly rates: RateSnapshot;
    }
  | ({ readonly kind: "exceeded" } & ExceededScope)
  /** The account or the key whose running requests hold the money: all its budgets wait for those. */
  | { readonly kind: "wait"; readonly scopeId: string }
  | {
      readonly kind: "limited";
      readonly limit: "requests" | "tokens" | "concurrency";
      readonly max: number;
      readonly used: number;
      readonly retryAfterMs: number;
      readonly rates: RateSnapshot;
    };
