import type { NanoUsd } from "../catalogue/money.ts";
import type { AdmissionOutcome, AdmissionRequest } from "./request.ts";

export interface AdmissionStore {
  /** Decides and, when admitted, records the hold on disk before it resolves. */
  admit(request: AdmissionRequest): Promise<AdmissionOutcome>;
  /** Raises an open hold to `amount`. Always succeeds; a hold resolved meanwhile is left alone. */
  raise(requestId: string, amount: NanoUsd): Promise<void>;
}
