import type { RateSnapshot } from "../../../admission/rates.ts";
import type { AdmissionOutcome, AdmissionRequest } from "../../../admission/request.ts";
import type { TokensTaken } from "../../../ledger/receipt.ts";
import type { KeyBook } from "./key-book.ts";
import type { KeyBooks } from "./key-books.ts";

type Limited = Extract<AdmissionOutcome, { kind: "limited" }>;

/** How soon to ask again when other requests of the same key fill its concurrency limit. */
const CONCURRENCY_RETRY_MS = 1_000;

const NO_RATES: RateSnapshot = {
  requestsLeft: null,
  requestsResetMs: 0,
  tokensLeft: null,
  tokensResetMs: 0,
};

/** A key without limits has nothing to judge by, and nothing to keep. */
function hasRates({ limits }: AdmissionRequest): boolean {
  return limits.requestsPerMinute !== 0 || limits.tokensPerMinute !== 0;
}

/** What a key may do in a minute and at once. */
export class KeyLimits {
  readonly #keys: KeyBooks;

  constructor(keys: KeyBooks) {
    this.#keys = keys;
  }

  /** Counts a request that may still be refused for another reason. */
  count(request: AdmissionRequest, key: KeyBook, nowMs: number): void {
    if (hasRates(request)) this.#keys.countRequests(key, 1, nowMs);
  }

  /** Takes the tokens of a request that is admitted. */
  take(request: AdmissionRequest, key: KeyBook, nowMs: number): TokensTaken | undefined {
    if (request.limits.tokensPerMinute === 0) return undefined;
    return this.#keys.takeTokens(key, request.tokens, nowMs);
  }

  snapshot(request: AdmissionRequest, key: KeyBook, nowMs: number): RateSnapshot {
    if (!hasRates(request)) return NO_RATES;
    return this.#keys.ratesOf(key, nowMs).snapshot(request.limits, nowMs);
  }

  /** Why the request may not go on now, if it may not. */
  refusal(request: AdmissionRequest, key: KeyBook, nowMs: number): Limited | undefined {
    const { limits } = request;
    if (hasRates(request)) {
      const window = this.#keys.ratesOf(key, nowMs);
      const refusal = request.countRate
        ? window.refusal(limits, request.tokens, nowMs)
        : window.tokenRefusal(limits, request.tokens, nowMs);
      if (refusal) return { kind: "limited", ...refusal, rates: window.snapshot(limits, nowMs) };
    }
    const max = limits.concurrency;
    if (max === 0 || key.open < max) return undefined;
    const rates = this.snapshot(request, key, nowMs);
    const retryAfterMs = CONCURRENCY_RETRY_MS;
    return { kind: "limited", limit: "concurrency", max, used: key.open, retryAfterMs, rates };
  }
}
