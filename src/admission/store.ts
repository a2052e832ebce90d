import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { AdmissionOutcome, AdmissionRequest, RaiseOutcome, RaiseRequest } from "./request.ts";

export interface AdmissionStore {
  /**
   * Decides and, when admitted, has written the hold before it answers, so that it outlives this
   * process. It need not outlive a power cut, which no unsettled request does either.
   */
  admit(request: AdmissionRequest, timeBudget?: TimeBudget): MaybePromise<AdmissionOutcome>;
  /** Adds what is granted to an open hold. One that was resolved meanwhile is left alone: "ended". */
  raise(request: RaiseRequest, timeBudget?: TimeBudget): MaybePromise<RaiseOutcome>;
}
