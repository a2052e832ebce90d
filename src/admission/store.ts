import type { NanoUsd } from "../catalogue/money.ts";
import type { AdmissionOutcome, AdmissionRequest } from "./request.ts";

export interface AdmissionStore {
  /**
   * Decides and, when admitted, has written the hold before it resolves, so that it outlives this
   * process. It need not outlive a power cut, which no unsettled request does either.
   */
  admit(request: AdmissionRequest): Promise<AdmissionOutcome>;
  /** Raises an open hold to `amount`. Always succeeds; a hold resolved meanwhile is left alone. */
  raise(requestId: string, amount: NanoUsd): Promise<void>;
}
