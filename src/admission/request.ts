import type { BudgetPeriod } from "../accounts/keys/budget-window.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { TokensTaken } from "../ledger/receipt.ts";
import type { HoldTerms, RaiseTerms, RaiseVerdict } from "./judge.ts";
import type { RateLimits, RateSnapshot } from "./rates.ts";

/** One request that asks to be let through, with what it may cost. */
export interface AdmissionRequest extends HoldTerms {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly limits: RateLimits;
  /** Tokens that it takes from its key's window when it is admitted; zero where the key has no limit of them. */
  readonly tokens: number;
  /** False when the request was counted before and has waited for money since. It has taken no tokens then. */
  readonly countRate: boolean;
  /** The account or key for whose money others wait already, whom this request must not overtake. */
  readonly behind: string | null;
  /** What the house loses if the process dies after dispatch. */
  readonly inputCost: NanoUsd;
  readonly model: string;
  readonly endpoint: string;
  readonly channel: string;
  readonly stream: boolean;
}

/** A running request that asks for more. */
export type RaiseRequest = RaiseTerms & Pick<AdmissionRequest, "requestId" | "accountId" | "keyId">;

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
      /** Its allowance: what it may cost until it is given more. */
      readonly held: NanoUsd;
      /** That is less than it could cost. */
      readonly tight: boolean;
      /** That is more than some scope had left, in which nobody else runs. */
      readonly lone: boolean;
      /** The balance of the account gives it less than the budgets of its key would. */
      readonly byBalance: boolean;
      /** What this request could spend before some scope is used up; null when nothing limits it. */
      readonly left: NanoUsd | null;
      /** Undefined where the key has no limit of tokens. */
      readonly taken?: TokensTaken | undefined;
      readonly rates: RateSnapshot;
    }
  | ({ readonly kind: "exceeded" } & ExceededScope)
  /** Nothing may be passed, and what is left does not do for an answer. */
  | ({
      readonly kind: "short";
      readonly left: NanoUsd;
      readonly needed: NanoUsd;
    } & ExceededScope)
  /** The account or the key whose running requests hold the money: all its budgets wait for those. */
  | { readonly kind: "wait"; readonly scopeId: string }
  | {
      readonly kind: "limited";
      readonly limit: "requests" | "tokens" | "concurrency";
      readonly max: number;
      readonly used: number;
      /** How many tokens the request takes, where it is they that are limited. */
      readonly needed?: number;
      readonly retryAfterMs: number;
      readonly rates: RateSnapshot;
    };

/** What a raise has come to: more, a wait for those who run beside it, or nothing more at all. */
export type RaiseOutcome =
  | Extract<RaiseVerdict, { kind: "granted" | "ended" }>
  | { readonly kind: "wait"; readonly scopeId: string };
